"""Takes the job and the rank of a trace from its path."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from gapfinder.errors import UsageError

_JOB = re.compile(r"job=([^/]+)")
_RANK = re.compile(r"(?<![a-z])rank[-_=]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Naming:
    """How paths name jobs and ranks: `pattern` is the user's regular expression, with groups called job and rank.

    Without a match, the rank is the number after `rank` in the name of the file or of its folder, as in rank12.nsys-rep,
    rank_12/trace.nsys-rep or rank=12/. The job is the value of a folder job=…, else the name of the folder that holds the ranks.
    """

    pattern: re.Pattern[str] | None = None

    @classmethod
    def parse(cls, text: str | None) -> "Naming":
        """Parse an expression such as `(?P<job>[^/]+)/gpu(?P<rank>[0-9]+)`. Raises UsageError."""
        if text is None:
            return cls()
        try:
            pattern = re.compile(text)
        except re.error as error:
            raise UsageError(f"{text!r} is not a regular expression: {error}") from error
        if not pattern.groupindex or pattern.groupindex.keys() - {"job", "rank"}:
            raise UsageError(f"{text!r} needs a group called job or rank, as in (?P<job>[^/]+)/(?P<rank>\\d+)")
        return cls(pattern)

    def of(self, path: str) -> tuple[str, int | None]:
        """The job and the rank of a path; the rank may be None. Raises UsageError if the user's rank is not a number."""
        job, rank = _default(PurePosixPath(path))
        match = self.pattern.search(path) if self.pattern else None
        groups = match.groupdict() if match else {}
        if groups.get("rank"):
            if not groups["rank"].isdecimal():
                raise UsageError(f"{groups['rank']!r} in {path} is not a rank: the group rank must match only digits")
            rank = int(groups["rank"])
        return groups.get("job") or job, rank


def _default(path: PurePosixPath) -> tuple[str, int | None]:
    folder = path.parent
    folder_rank = _RANK.fullmatch(folder.name)
    if folder_rank:
        folder = folder.parent
    rank = _RANK.search(path.name) or folder_rank
    job = _JOB.search(str(path))
    return job[1] if job else folder.name, int(rank[1]) if rank else None
