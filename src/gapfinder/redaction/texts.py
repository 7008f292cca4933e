"""Redacts the texts of a trace: removes folders from paths and, with a key, replaces names by codes.

The parts of a name that a rule of `sql/` or a pattern of the config looks for stay, so that the diagnosis is the same.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import re2

from gapfinder.errors import UsageError
from gapfinder.redaction.places import decoded, executable, file_name, joined_spans, last_part, without_addresses, without_places

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
    r"(^|[ _])epochs?[ _#:=-]*\d*$",
    "(^|[ _])(steps?|batch(es)?|iter(ation)?s?)([^a-z]|$)",
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
    "cudnn|^(conv2d_c1_k1|compute_dot_do_o)",
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
# What changes from one range to the next: numbers that plain_name.sql leaves out, a counter at the end, the epoch before it.
VOLATILE = re.compile(
    r",?\s{0,64}\b(?:seq|op_id|input_op_ids|sizes|unique_hlo_op_id|program_id|run_id|correlation_id)\s*=\s*[\d\s\[\],()-]*(?=[,#>]|$)"
)
COUNTER = re.compile(r"(?<=[^ _#:=-])[ _#:=-]*\d{1,64}(?:/\d{1,64})?$")
OF_EPOCH = re.compile(r"epochs?[ _#:=-]*\d+(?:/\d+)?[ _,:;|/-]+(?=[a-z].*\d$)", re.IGNORECASE)
NESTED = " > "  # separates the names of nested ranges
# The part of a path that is the same on all machines: of Python's own library, or in a folder of packages.
PACKAGES = re.compile(r"/(?P<root>(?:(?:(?:site|dist)-packages|lib(?:64)?/python[0-9.]+)/)+)(?P<path>.*)")
# The packages that the `frames` of causes name. Others may be the user's own.
PUBLIC_PACKAGES = {
    "anyio", "cupy", "datasets", "ffcv", "grain", "jax", "numba", "numpy", "nvidia", "pandas", "safetensors", "streaming",
    "tensorflow", "torch", "transformers", "triton", "uvloop", "webdataset",
}  # fmt: skip
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
        if use == "process":
            text = text and executable(decoded(text))
        elif use == "file":
            text = file_name(decoded(text))
        elif use == "library":
            return self._library(text)
        else:
            text = self._last_parts(text)
        return NESTED.join(map(self._code, text.split(NESTED))) if self._key and use != "call" else text

    def _library(self, file: str) -> str:
        """The path of a library's file from its package on. With a key, folders of a package that is not public are codes."""
        if not (found := PACKAGES.search(file)):
            return last_part(file)
        package, *rest = parts = found["path"].split("/")
        is_public = not found["root"].endswith("-packages/") or (bool(rest) and package in PUBLIC_PACKAGES)
        if not self._key or is_public:
            return found[0]
        return "/" + found["root"] + "/".join(part if part in self._path_words else self._code(part) for part in parts)

    def _last_parts(self, text: str) -> str:
        """The text with only the last part of each URL and path, and no host.

        A match of a pattern that this would hide comes first, unless it is a user's or a host's name, or in a URL.
        """
        plain = decoded(text)
        result = without_places(plain)
        if result == plain:
            return text
        public = without_addresses(plain)
        return result if self._matching(result) == self._matching(public) else " ".join([*self._matches(public), result])

    def _code(self, name: str) -> str:
        """The code of a name, with the words of the patterns that it matches before or after it; only words stay as they are.

        Names that differ in what counts them have codes that differ in that alone, as steps are found by such names.
        """
        words = self._fixed(name)
        if not name or words == [name]:
            return name
        epoch = found[0] if (found := OF_EPOCH.match(name)) else ""
        stem = VOLATILE.sub("", name.removeprefix(epoch))
        numbers = "".join(VOLATILE.findall(name))
        counter = found[0] if (found := COUNTER.search(stem)) else ""
        stem = stem.removesuffix(counter)
        code = "n" + blake2b(stem.encode(), key=self._key or b"", digest_size=CODE_BYTES).hexdigest()
        for letters in (code, code.translate(LETTERS)):  # a pattern may take no digits
            for coded in _joined(words, letters + counter + numbers):
                if self._matching(epoch + coded) == self._matching(name):
                    return epoch + coded
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
        return joined_spans(match.span() for pattern in self._patterns for match in pattern.finditer(text) if match[0])

    def _matching(self, text: str) -> list[bool]:
        """Which of the patterns match a text."""
        return [bool(pattern.search(text)) for pattern in self._patterns]


def _joined(words: list[str], code: str) -> Iterator[str]:
    """The words before the code and after it, and with it in each gap. A pattern may end where a word does, or may not."""
    for gap in "", "_", " ":  # words that share a letter which separates them stay apart
        kept = [word for each in words if (word := re.sub(f"{GAP}+", gap, each.strip(GAP)))]
        for between in ".", "_", " ":
            yield between.join([*kept, code])
            yield between.join([code, *kept])
    yield re.sub(f"{GAP}+", lambda _: code, "_".join(words))
    first, *others = re.split(f"{GAP}+", GAP.join(words).strip(GAP))
    for between in ".", "_", " ":
        yield between.join([first, code, *others])


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


def _stem(name: str) -> str:
    """The name without the counter at its end."""
    return COUNTER.sub("", name)
