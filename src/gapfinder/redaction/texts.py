"""What becomes of the texts in a trace: folders go, and names where there is a key; what rules read of a name stays."""

import re
from collections.abc import Iterable
from hashlib import blake2b

from gapfinder.errors import UsageError

# What rules of `sql/` look for in names, beside the patterns of the config. A test holds that they still do.
READ = (
    "^(nccl|rccl|nvshmem|cross_device_reduce|multimem_|one_?shot_?all_?reduce|two_?shot_?all_?reduce)",
    "allreduce",
    "allgather",
    "reducescatter",
    "^pt_data_|dataloader",
    "^(GIL Trace|Python |cuBLAS|cuDNN|cuFFT|cuSOLVER|cuSPARSE|NCCL|NVSHMEM|CCCL|libcu|nvJPEG)",
)
# Names that say nothing of a program: nobody is served by a code for them.
EVERYBODYS = r"^(Waiting for GIL|Holding GIL|gapfinder\.capture|python[\d.]*|pt_\w+|&lt;\w+&gt;)$"
NESTED = " > "  # between the ranges of a path, and nothing else, as rules take it
# An absolute path, with a drive or a scheme, anywhere in a text; its last part is what is left of it.
PATH = re.compile(r"""(?<![\w.)\]/\\])(?:~|[A-Za-z]:|[A-Za-z][\w+.-]*:/)?(?P<folder>[/\\](?:[^\s/\\:;,'"`()<>|]+[/\\])+)(?P<last>[^\s/\\:;,'"`()<>|]*)""")
HOME = re.compile(r"[/\\](?:home|Users)[/\\]$")  # what follows is a user
CODE_BYTES = 6  # of 100,000 names two have the same code once in 50,000 traces


class Texts:
    """`patterns` are regular expressions for names; with a `key`, names become codes that only who has it can tell."""

    def __init__(self, patterns: Iterable[str], key: bytes | None) -> None:
        self._patterns = [re.compile(pattern, re.IGNORECASE) for pattern in (*READ, EVERYBODYS, *patterns)]
        self._key = key

    def shown(self, used: list[tuple[str, str]]) -> tuple[list[str], list[str], list[str]]:
        """What to show for each text and its use (call, file, name or process): texts, uses and what is shown, as columns.

        Of calls, files and names no two are shown alike, as each of them may be a step or a line of its own.
        """
        found = {(text, use): self._process(text) for text, use in used if use == "process"}
        rest = {text: use for text, use in used if use != "process"}
        short = {text: text if self._key and use != "call" else self._short(text, use) for text, use in rest.items()}
        taken = {text for text, shown in short.items() if shown == text}
        for text in sorted(rest):
            shown, number = short[text], 2
            if shown != text:
                while shown in taken:
                    shown, number = f"{short[text]} ({number})", number + 1
                taken.add(shown)
            found[text, rest[text]] = self._coded(text) if self._key and rest[text] != "call" else shown
        return [text for text, _ in found], [use for _, use in found], list(found.values())

    def _process(self, text: str) -> str:
        """The name of a program, without its folder and whatever its title says beside."""
        name = re.split(r"[/\\]", (text.split() or [""])[0])[-1]
        return self._coded(name) if self._key else name

    def _short(self, text: str, use: str) -> str:
        if use == "file":
            return re.split(r"[/\\]", text)[-1]
        shown = PATH.sub(self._last, text)
        return shown if self._seen(shown) == self._seen(text) else " ".join([*self._words(text), shown])

    def _last(self, path: re.Match[str]) -> str:
        return "~" if HOME.search(path["folder"]) else path["last"]

    def _coded(self, text: str) -> str:
        return NESTED.join(self._coded_part(part) for part in text.split(NESTED))

    def _coded_part(self, part: str) -> str:
        words = self._words(part)
        if words == [part] or not part:
            return part
        code = "n" + blake2b(part.encode(errors="surrogateescape"), key=self._key or b"", digest_size=CODE_BYTES).hexdigest()
        for coded in (".".join([*words, code]), ".".join([code, *words])):
            if self._seen(coded) == self._seen(part):
                return coded
        lost = next(p.pattern for p in self._patterns if bool(p.search(part)) != bool(p.search(".".join([*words, code]))))
        raise UsageError(f"--names cannot give codes to names in which the pattern {lost!r} is sought: leave it out of the config")

    def _words(self, text: str) -> list[str]:
        """The parts of a text that some pattern matches, in order."""
        spans = sorted(found.span() for pattern in self._patterns for found in pattern.finditer(text) if found[0])
        merged: list[list[int]] = []
        for start, end in spans:
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        return [text[start:end] for start, end in merged]

    def _seen(self, text: str) -> list[bool]:
        return [bool(pattern.search(text)) for pattern in self._patterns]
