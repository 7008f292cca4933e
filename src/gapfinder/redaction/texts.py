"""Redacts the texts of a trace: removes folders from paths and, with a key, replaces names by codes.

The parts of a name that a rule of `sql/` or a pattern of the config looks for stay, so that the diagnosis is the same.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from urllib.parse import unquote

import re2

from gapfinder.errors import UsageError

# The patterns that the rules of `sql/` look for in names.
RULE_PATTERNS = (
    "^(nccl|rccl|nvshmem|cross_device_reduce|multimem_|one_?shot_?all_?reduce|two_?shot_?all_?reduce)|_on_stream_kernel",
    "^(dispatch|combine|(cached_)?notify(_dispatch|_combine)?)$",
    r"\bint(er|ra)node(_ll)?::",
    "^(GIL Trace|Python |cuBLAS|cuDNN|cuFFT|cuSOLVER|cuSPARSE|NCCL|NVSHMEM|CCCL|libcu|nvJPEG)",
    "multi_tensor_apply|adam|sgd|lamb_|adagrad|rmsprop|adafactor|muon|optimizer",
    r"^ProfilerStep\b|run_training_batch$|^Optimizer\.step#|^enumerate\(DataLoader\)",
    "Fused|Adam|LAMB|SGD",
    "BinaryOpListAlpha|PointwiseOp",
    "^triton_",
    "^((unrolled|vectorized)_elementwise|multi_tensor_apply)_kernel$",
    "^cupy_",
    "SendRecv|AlltoAll",
    "all_?reduce|cross_device_reduce",
    "all_?gather",
    "reduce_?scatter",
    "broadcast",
    "reduce",
    "_(b?f16|half|f8)|bfloat16",
    "^nccl(All|Reduce|Broadcast|Bcast|Send|Recv|Gather|Scatter|AlltoAll)",
    r"^(aten|autograd|c10|c10d|prim|torch|nccl|record_param_comms|Thunk|TfrtOp)\b",
    r"^Xla(Pass|Compile)|Backward\d*$|traceMarker|^cu(da)?[A-Z]",
    r"^dlopen\(lib(nvidia-(ptxjitcompiler|nvvm)|nv(rtc|JitLink|vm)|cu(dnn|blas|fft|rand|solver|sparse|tensor))",
    "Thunk( |:#(name=|hlo_op=)?)while",
    "^XlaModule",
    "^cuda-",
    "^pt_data_|dataloader",
    "^pt_(gloo|mpi)_",
    "^pt_(elastic|tcpstore|nccl)",
    r"^\[?(NSys|CUPTI)\b",
    "^(py_xla|tf_XLA)",
    r"^(lib[cm][.-]|lib(pthread|stdc\+\+|gcc|jemalloc|tcmalloc|ToolsInjectionMemory)|ld-linux|\[vdso\])",
    "mem(cpy|move|set)|copy_(to|from)_user|page_fault|handle_mm_fault|clear_page",
    "^libcudnn",
    "^libcudnn_(heuristic|graph)",
    "^(libpython|python)[0-9.]*",
    "^(libToolsInjection|libcupti)",
    r"^libcuda(rt)?\.",
)
# Names that are the same in all programs. They hold nothing private, so they get no code.
PYTORCH_THREADS = r"pt_(main_thread|data_(pin|worker)|autograd_\d+|(gloo|mpi)_runloop|nccl_(heartbt|watchdg)|tcpstore_uv|elastic)"
PYTHON_FUNCTIONS = "&lt;(module|lambda|(gen|list|dict|set)(expr|comp)|locals|string)&gt;"
COMMON_NAMES = rf"^(Waiting for GIL|Holding GIL|gapfinder\.capture|python[\d.]*|{PYTORCH_THREADS}|{PYTHON_FUNCTIONS})$"
# The parts of a pattern: an escape, a class of letters, what begins a group, how often something comes, and any other character.
PART = re.compile(
    r"\\(?P<escaped>.)|\[(?P<any_of>\^?\]?(?:\\.|[^\]\\])*)\]"
    r"|\((?:\?(?:P?<\w+>|[A-Za-z-]*:?))?|(?P<often>[*+?]|\{\d*,?\d*\})|(?P<letter>.)"
)
FEW = 4  # letters in a class are words of the pattern, each by itself; more may be any name
# What changes from one range to the next: numbers that plain_name.sql leaves out, and a counter at the end.
VOLATILE = re.compile(
    r",?\s{0,64}\b(?:seq|op_id|input_op_ids|sizes|unique_hlo_op_id|program_id|run_id|correlation_id)\s*=\s*[\d\s\[\],()-]*(?=[,#>]|$)"
)
COUNTER = re.compile(r"(?<=[^ _#:=-])[ _#:=-]*\d{1,64}$")
NESTED = " > "  # separates the names of nested ranges
# Repeats have limits, so that each pattern takes time in proportion to the text, whatever is in it.
# A URL, and an absolute path (it may have a drive letter), anywhere in a text. Brackets belong to them where they are closed.
URL = re.compile(r"""\b(?!file:///)[A-Za-z][\w+.-]{0,30}://(?:[^\s'"`()<>|]|\([^\s'"`()<>|]*\))*""")
FOLDER = r"""(?:[^\s/\\:;,'"`()<>|]|\([^\s/\\:;,'"`()<>|]*\))+[/\\]+"""
PATH = re.compile(
    rf"""(?:(?<![\w.)\]/\\])|(?<=\s-[A-Za-z])|(?<=^-[A-Za-z]))(?:~[\w.-]{{0,64}}|[A-Za-z]:)?[/\\]+(?:{FOLDER})+[^\s/\\:;,'"`()<>|]*"""
)
# Folders that are a path after any character, and those of a drive, whose own folders may have spaces and commas in their names.
ROOTED = re.compile(
    r"""(?:\b[A-Za-z]:)?(?<![/\\])[/\\]+(?:beegfs|ceph|data\d*|efs|etc|fsx|gpfs|[Hh]omes?|lustre|media|mnt|nas|nfs|opt|private|projects?|raid\d*|root"""
    r"""|scratch|shared|srv|storage|tmp|[Uu]sers?|usr|var|vast|Volumes|work|workspaces?)[/\\]+(?:[^/\\:;'"`<>|]+[/\\]+)*[^\s/\\:;,'"`()<>|]*"""
)
DRIVE = re.compile(r"""\b[A-Za-z]:\\+(?:[^/\\:;'"`<>|]+[/\\]+)*[^\s/\\:;,'"`()<>|]*""")
# An absolute path in quotes, whose folders may have any names.
QUOTED = re.compile(
    "|".join(rf"(?<={quote})(?:[A-Za-z]:)?[/\\]+(?:[^{quote}/\\]+[/\\]+)+[^{quote}/\\]+(?={quote})" for quote in "'\"`")
)
# A path in a folder that a variable of the environment names, or on a host.
NAMED_FOLDER = re.compile(
    rf"""(?:\$\w{{1,64}}|\$\{{\w{{1,64}}\}}|\b[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,8}}:|\b\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d{{1,5}})?)[/\\]+(?:{FOLDER})*[^\s/\\:;,'"`()<>|]*"""
)
# A file in a folder of the program, or of a user; a name with slashes and no ending may be that of a range.
RELATIVE = re.compile(
    r"""(?<![\w.)\]/\\])(?:~[\w.-]{1,64}|\.{1,2})[/\\](?:[\w.@+-]{1,128}[/\\]){1,64}[\w@+-]{1,128}\b(?![\w.]{0,128}[/\\.])"""
    r"""|"""
    r"""(?<![\w.)\]/\\])(?:~[\w.-]{1,64}|\.{1,2}|[\w.@+-]{1,128})[/\\](?:[\w.@+-]{1,128}[/\\]){0,64}[\w@+-]{1,128}(?:\.[A-Za-z]\w{0,7}){1,8}\b"""
)
# A user, by himself or at a host: ~alice, alice@host, alice@10.0.0.7. A destructor, as of a C++ class, has brackets behind.
USER = re.compile(
    r"(?<![\w:~])~[A-Za-z_][\w.-]{0,64}(?![\w.(<-])[/\\]?|\b[\w.+'-]{1,64}@(?:[A-Za-z][\w-]*(?:\.[\w-]+)*|\d{1,3}(?:\.\d{1,3}){3})"
)
# An address of IPv6: in brackets, with three groups or more, or of a local or global network. C++ has names like be::add.
GROUP = "[0-9A-Fa-f]{1,4}"
IPV6 = re.compile(
    rf"\[(?:{GROUP})?(?::{{1,2}}{GROUP})+\](?::\d{{2,5}})?"
    rf"|(?<![\w:])(?:(?:fe80|f[cd][0-9A-Fa-f]{{2}}|2[0-9A-Fa-f]{{3}})(?::{{1,2}}{GROUP})+"
    rf"|(?=[\w:]*::){GROUP}(?::{{1,2}}{GROUP}){{2,6}}|{GROUP}(?::{GROUP}){{7}})(?![\w:])"
)
# An address, or a host with its port; train.py:40 is a line of a file. A host without a dot has a number, as gpu-node-17:29500,
# and a port beyond those of layer1:1024, unless it has a hyphen. Without a port, a host with a number or a hyphen in a domain
# that is only inside of a network; layer2.local may be a part of a model.
HOST = re.compile(
    r"\b(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}"
    r"\.(?!(?:c|cc|cpp|cu|cuh|cxx|go|h|hh|hpp|java|jl|js|py|pyc|pyi|pyx|rs|so|ts)\b)[A-Za-z][\w-]*):\d{2,5}"
    r"|(?=[\w-]{0,62}\d)[A-Za-z]\w{0,62}(?:-[\w-]{1,62}:\d{4,5}|:[1-6]\d{4})"
    r"|(?=[\w.-]{0,254}[\d-])(?:[\w-]{1,63}\.){1,8}(?:cluster\.local|corp|internal|intranet|lan|localdomain)(?![\w.(=-]))\b"
)
HOMES = r"[/\\](?:[Hh]omes?|[Uu]sers?)[/\\]+"  # the next part is the name of a user
HOME, USERS_HOME = re.compile(f"{HOMES}$"), re.compile(rf"({HOMES})[^/\\]+")
# The part of a path that is the same on all machines: of Python's own library, or in a folder of packages.
PACKAGES = re.compile(r"/(?P<root>(?:(?:(?:site|dist)-packages|lib(?:64)?/python[0-9.]+)/)+)(?P<path>.*)")
# The packages that the `frames` of causes name. Others may be the user's own.
PUBLIC_PACKAGES = {
    "cupy", "datasets", "ffcv", "grain", "jax", "numba", "numpy", "nvidia", "pandas", "safetensors", "streaming", "tensorflow",
    "torch", "transformers", "triton", "uvloop", "webdataset",
}  # fmt: skip
OF_FOLDERS = "_.-+@$~/\\"  # besides letters and digits
ENCODED = re.compile("%(?:2[Ff]|3[Aa]|40|5[Cc])")  # a slash, a colon, @ or a backslash of a quoted URL
HIDDEN = "~"
LETTERS = str.maketrans("0123456789", "ghijklmopq")
GAP = "\0"  # in place of letters that do not stay
CODE_BYTES = 6  # with 100,000 names, two names get the same code in one of 50,000 traces; then they get numbers


class TextRedactor:
    """Redacts texts. `patterns` are those of the config, whose words stay. With a `key`, codes replace names.

    `frames` are patterns for frames of stacks, whose words stay in paths of libraries.
    """

    def __init__(self, patterns: Iterable[str], key: bytes | None, frames: Iterable[str] = ()) -> None:
        self._path_words = {word for pattern in frames for word in re.findall(r"\w+(?:\.py)?", pattern.replace("\\.", "."))}
        every = (*RULE_PATTERNS, COMMON_NAMES, *patterns)
        options = re2.Options()
        options.case_sensitive = False
        self._patterns = [re2.compile(pattern, options) for pattern in every]
        self._words = [*zip(self._patterns, map(_words, every), strict=True)]
        self._key = key

    def redact_all(self, used: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """The redacted text of each (text, use). The use is call, library, file, name or process.

        Different calls, files and names stay different, also without the counter at their end, because each may be a step or a
        source line. Raises UsageError if a name cannot become a code in which every pattern finds what it found before.
        """
        redacted = {(text, use): self._redact(text, use) for text, use in used}
        names = [(text, use) for text, use in sorted(redacted) if use != "process"]
        taken = {text for text, use in names if redacted[text, use] == text}
        stems = {_stem(text): _stem(text) for text in taken}  # of the names before, by those of the names after
        given: dict[tuple[str, str], str] = {}  # stems after, by those that were found and those before
        numbers: dict[str, int] = {}  # the next one, by the stem that was found
        for text, use in names:
            if (found := redacted[text, use]) == text:
                continue
            before, stem = _stem(text), _stem(found)
            counter = found.removeprefix(stem)
            result = given.get((stem, before), stem) + counter
            while result in taken or (use == "name" and stems.get(_stem(result), before) != before):
                number = numbers[stem] = numbers.get(stem, 1) + 1
                result = f"{stem} ({number}){counter}"
            given[stem, before] = result.removesuffix(counter)
            stems[_stem(result)] = before
            taken.add(result)
            redacted[text, use] = result
        return redacted

    def _redact(self, text: str, use: str) -> str:
        if use == "process":  # the name of a process may hold its arguments
            text = _without_people(_last_part((text.split() or [""])[0]))
        elif use == "file":
            text = _without_people(_last_part(URL.sub(_in_url, text)))
        elif use == "library":
            return self._library(text)
        else:
            text = self._without_places(text)
        return NESTED.join(map(self._code, text.split(NESTED))) if self._key and use != "call" else text

    def _library(self, file: str) -> str:
        """The path of a library's file from its package on. With a key, folders of a package that is not public are codes."""
        if not (found := PACKAGES.search(file)):
            return _last_part(file)
        package, *rest = parts = found["path"].split("/")
        is_public = not found["root"].endswith("-packages/") or (bool(rest) and package in PUBLIC_PACKAGES)
        if not self._key or is_public:
            return found[0]
        return "/" + found["root"] + "/".join(part if part in self._path_words else self._code(part) for part in parts)

    def _without_places(self, text: str) -> str:
        """The text with only the last part of each URL and path, and no host.

        A match of a pattern that this would hide comes first, unless it is a user's or a host's name, or in a URL.
        """
        plain = unquote(text) if ENCODED.search(text) else text
        public = _without_people(USERS_HOME.sub(rf"\1{HIDDEN}", URL.sub(HIDDEN, plain)))
        result = _without_people(_without_folders(URL.sub(_in_url, plain)))
        if result == plain:
            return text
        return result if self._matching(result) == self._matching(public) else " ".join([*self._matches(public), result])

    def _code(self, name: str) -> str:
        """The code of a name, with the words of the patterns that it matches before or after it; only words stay as they are.

        Names that differ in what counts them have codes that differ in that alone, as steps are found by such names.
        """
        words = self._fixed(name)
        if not name or words == [name]:
            return name
        stem = VOLATILE.sub("", name)
        numbers = "".join(VOLATILE.findall(name))
        counter = found[0] if (found := COUNTER.search(stem)) else ""
        stem = stem.removesuffix(counter)
        code = "n" + blake2b(stem.encode(), key=self._key or b"", digest_size=CODE_BYTES).hexdigest()
        for letters in (code, code.translate(LETTERS)):  # a pattern may take no digits
            for coded in _joined(words, letters + counter + numbers):
                if self._matching(coded) == self._matching(name):
                    return coded
        raise UsageError(
            f"--names cannot replace {name!r}: a pattern of the config would not match its code; leave it out of the config"
        )

    def _matches(self, text: str) -> list[str]:
        """The parts of a text that match a pattern, in order; overlapping matches are joined."""
        return [text[start:end] for start, end in self._spans(text)]

    def _fixed(self, text: str) -> list[str]:
        """As `_matches`, with a gap in place of what patterns do not spell out: that is the program's own."""
        stays: set[int] = set()
        for pattern, words in self._words:
            for match in pattern.finditer(text):
                stays.update(at for word in words.finditer(text, *match.span()) for at in range(*word.span()))
        return ["".join(text[at] if at in stays else GAP for at in range(start, end)) for start, end in self._spans(text)]

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where a text matches a pattern: the start and the end of each part."""
        return _joined_spans(match.span() for pattern in self._patterns for match in pattern.finditer(text) if match[0])

    def _matching(self, text: str) -> list[bool]:
        """Which of the patterns match a text."""
        return [bool(pattern.search(text)) for pattern in self._patterns]


def _joined(words: list[str], code: str) -> Iterator[str]:
    """The words before the code and after it, and with it in each gap. A pattern may end where a word does, or may not."""
    kept = [word for each in words if (word := each.replace(GAP, ""))]
    for between in ".", "_", " ":
        yield between.join([*kept, code])
        yield between.join([code, *kept])
    yield re.sub(f"{GAP}+", lambda _: code, "_".join(words))


def _words(pattern: str) -> re.Pattern[str]:
    """What a pattern spells out: its words, few letters that it lets be either, and digits where it takes any."""
    words = [""]
    more: set[str] = set()
    for part in PART.finditer(pattern):
        escaped, any_of, letter = part["escaped"], part["any_of"], part["letter"]
        if letter and letter not in "|)^$.":
            words[-1] += letter
        elif escaped and not escaped.isalnum():
            words[-1] += escaped
        elif part["often"] and len(words[-1]) > 1:  # it is about the last letter
            words[-1:] = [words[-1][:-1], words[-1][-1], ""]
        else:
            words.append("")
            if escaped == "d" or (any_of and re.fullmatch(r"(\\d|0-9|\\?\.)+", any_of)):
                more |= {r"\d", r"\."}
            elif any_of and len(any_of) <= FEW and re.fullmatch(r"[\w.-]+", any_of) and not re.search(r"\w-\w", any_of):
                more |= {re.escape(one) for one in any_of}
    spelled = sorted({re.escape(word) for word in words if word}, key=len, reverse=True)
    return re.compile("|".join([*spelled, *sorted(more)]) or r"(?!)", re.IGNORECASE)


def _without_folders(text: str) -> str:
    """The text with only the last part of each path. Where patterns find parts of one path, it is all that they find together."""
    spans = [
        match.span() for pattern in (QUOTED, ROOTED, DRIVE, NAMED_FOLDER, PATH, RELATIVE) for match in pattern.finditer(text)
    ]
    kept: list[str] = []
    at = 0
    for found, end in _joined_spans(spans):
        start = _start(text, found, at)
        *folders, last = re.split(r"([/\\]+)", text[start:end])
        kept += [text[at:start], HIDDEN if HOME.search("".join(folders)) else last]
        at = end
    return "".join([*kept, text[at:]])


def _start(text: str, found: int, after: int) -> int:
    """Where a path starts of which a part was found: there may be folders before it, but `after` this, or an option, as -I."""
    start = found
    while text[found] in "/\\" and start > after and (text[start - 1].isalnum() or text[start - 1] in OF_FOLDERS):
        start -= 1
    return found if re.fullmatch("-[A-Za-z]", text[start:found]) else start


def _joined_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order of their starts; those that overlap or touch are one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


def _without_people(text: str) -> str:
    """The text without the names of users and hosts."""
    for pattern in (USER, IPV6, HOST):
        text = pattern.sub(HIDDEN, text)
    return text


def _stem(name: str) -> str:
    """The name without the counter at its end."""
    return COUNTER.sub("", name)


def _in_url(url: re.Match[str]) -> str:
    """The last part of a URL, without what follows its path."""
    return _last_part(re.split("[?#]", url[0])[0])


def _last_part(path: str) -> str:
    """What follows the last slash; the placeholder for a URL that is only a host, and for the home of a user."""
    *folders, last = re.split(r"[/\\]", path)
    only_host = folders[-1:] == [""] and folders[0].endswith(":")
    return HIDDEN if only_host or HOME.search(path.removesuffix(last)) else last
