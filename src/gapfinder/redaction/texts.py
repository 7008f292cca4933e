"""What becomes of the texts in a trace: folders go, and names where there is a key; what rules look for in a name stays."""

import re
from collections.abc import Iterable
from hashlib import blake2b

from gapfinder.errors import UsageError

# What rules of `sql/` look for in names, beside the patterns of the config.
READ = (
    "^(nccl|rccl|nvshmem|cross_device_reduce|multimem_|one_?shot_?all_?reduce|two_?shot_?all_?reduce)",
    "^(GIL Trace|Python |cuBLAS|cuDNN|cuFFT|cuSOLVER|cuSPARSE|NCCL|NVSHMEM|CCCL|libcu|nvJPEG)",
    "allreduce",
    "allgather",
    "reducescatter",
    "^pt_data_|dataloader",
)
# Names that are the same in everybody's programs: a code for them would hide nothing, and tell less.
EVERYBODYS = r"^(Waiting for GIL|Holding GIL|gapfinder\.capture|python[\d.]*|pt_\w+|&lt;\w+&gt;)$"
NESTED = " > "  # rules take what is around it for two ranges, of which one is inside the other
# An address, and an absolute path, maybe with a drive, anywhere in a text.
ADDRESS = re.compile(r"""\b(?!file:)[A-Za-z][\w+.-]*://[^\s'"`()<>|]*""")
PATH = re.compile(
    r"""(?<![\w.)\]/\\])(?:~|[A-Za-z]:)?(?P<folder>[/\\]+(?:[^\s/\\:;,'"`()<>|]+[/\\])+)(?P<last>[^\s/\\:;,'"`()<>|]*)"""
)
HOME = re.compile(r"[/\\](?:home|Users)[/\\]$")  # what follows is the name of a user
HIDDEN = "~"
CODE_BYTES = 6  # of 100,000 names two get the same code in one trace of 50,000; they are numbered then


class Texts:
    """`patterns` are what the config looks for in names; with a `key`, names become codes that tell nobody else anything."""

    def __init__(self, patterns: Iterable[str], key: bytes | None) -> None:
        self._patterns = [re.compile(pattern, re.IGNORECASE) for pattern in (*READ, EVERYBODYS, *patterns)]
        self._key = key

    def shown(self, used: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """What to show for each text and its use: call, file, name or process.

        Of calls, files and names no two are shown alike: each may be a step or a line of its own. Raises UsageError where a
        name cannot become a code in which every pattern finds what it found.
        """
        found = {(text, use): self._shown(text, use) for text, use in used}
        names = [(text, use) for text, use in sorted(found) if use != "process"]
        taken = {text for text, use in names if found[text, use] == text}
        for text, use in names:
            shown, number = found[text, use], 2
            while shown in taken and shown != text:
                shown, number = f"{found[text, use]} ({number})", number + 1
            taken.add(shown)
            found[text, use] = shown
        return found

    def _shown(self, text: str, use: str) -> str:
        if use == "process":  # a title may hold arguments
            text = _last_part((text.split() or [""])[0])
        elif use == "file":
            text = _last_part(text)
        else:
            text = self._without_folders(text)
        return NESTED.join(map(self._coded, text.split(NESTED))) if self._key and use != "call" else text

    def _without_folders(self, text: str) -> str:
        shown = ADDRESS.sub(lambda address: _last_part(re.split("[?#]", address[0])[0]), text)
        shown = PATH.sub(lambda path: HIDDEN if HOME.search(path["folder"]) else path["last"], shown)
        return shown if self._seen(shown) == self._seen(text) else " ".join([*self._words(text), shown])

    def _coded(self, name: str) -> str:
        words = self._words(name)
        if not name or words == [name]:
            return name
        code = "n" + blake2b(name.encode(), key=self._key or b"", digest_size=CODE_BYTES).hexdigest()
        for coded in (".".join([*words, code]), ".".join([code, *words])):
            if self._seen(coded) == self._seen(name):
                return coded
        raise UsageError(f"--names cannot keep what a pattern of the config finds in {name!r}: leave it out of the config")

    def _words(self, text: str) -> list[str]:
        """The parts of a text in which patterns find something, in order."""
        spans: list[list[int]] = []
        for start, end in sorted(found.span() for pattern in self._patterns for found in pattern.finditer(text) if found[0]):
            if spans and start <= spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], end)
            else:
                spans.append([start, end])
        return [text[start:end] for start, end in spans]

    def _seen(self, text: str) -> list[bool]:
        return [bool(pattern.search(text)) for pattern in self._patterns]


def _last_part(path: str) -> str:
    """What follows the last slash; of an address that is a host alone, nothing."""
    *folders, last = re.split(r"[/\\]", path)
    return HIDDEN if folders[-1:] == [""] and folders[0].endswith(":") else last
