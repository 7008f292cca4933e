"""Which job and which rank a trace is of, by its path."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from gapfinder.errors import UsageError

_JOB = re.compile(r"job=([^/]+)")
_RANK = re.compile(r"(?<![a-z])rank[-_=]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Naming:
    """How paths name jobs and ranks: `own` is the user's regular expression, with groups called job and rank.

    What it does not say is told as usual. The rank is the number behind `rank` in the name of the file, or of its folder: as in
    rank12.nsys-rep, rank_12/trace.nsys-rep, rank=12/. The job is what a folder job=… says, else the name of the folder with the
    ranks in it.
    """

    own: re.Pattern[str] | None = None

    @classmethod
    def parse(cls, text: str | None) -> "Naming":
        """That of an expression such as `(?P<job>[^/]+)/gpu(?P<rank>[0-9]+)`. Raises UsageError."""
        if text is None:
            return cls()
        try:
            own = re.compile(text)
        except re.error as error:
            raise UsageError(f"{text!r} is no regular expression: {error}") from error
        if not own.groupindex or own.groupindex.keys() - {"job", "rank"}:
            raise UsageError(f"{text!r} needs a group called job or rank, as in (?P<job>[^/]+)/(?P<rank>\\d+)")
        return cls(own)

    def of(self, path: str) -> tuple[str, int | None]:
        """Job and rank of a path; None where there is no rank. Raises UsageError where the user's rank is no number."""
        job, rank = _usual(PurePosixPath(path))
        match = self.own.search(path) if self.own else None
        said = match.groupdict() if match else {}
        if said.get("rank"):
            if not said["rank"].isdecimal():
                raise UsageError(f"{said['rank']!r} in {path} is no rank: let the group rank match digits alone")
            rank = int(said["rank"])
        return said.get("job") or job, rank


def _usual(path: PurePosixPath) -> tuple[str, int | None]:
    folder = path.parent
    of_folder = _RANK.fullmatch(folder.name)
    if of_folder:
        folder = folder.parent
    rank = _RANK.search(path.name) or of_folder
    job = _JOB.search(str(path))
    return job[1] if job else folder.name, int(rank[1]) if rank else None
