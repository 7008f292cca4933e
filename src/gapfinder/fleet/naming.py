"""Takes the job and the rank of a trace from its path."""

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import quote

import polars as pl

from gapfinder.errors import UsageError
from gapfinder.job.paths import RANK, RANK_DIGITS, rank_digits

JOB_BYTES = 200  # of the name of a folder, with what is escaped in it; file systems take 255
_JOB = re.compile(r"job=([^/]+)")


@dataclass(frozen=True)
class Naming:
    """How paths name jobs and ranks: `pattern` is the user's regular expression, with groups called job and rank.

    Without a match, the rank is the number after the last `rank` in the name of the file or of its folder, as in rank12.nsys-rep,
    rank_12/trace.nsys-rep or rank=12/. The job is the value of a folder job=…, else the name of the folder that holds the ranks.
    """

    pattern: str | None = None

    @classmethod
    def parse(cls, text: str | None) -> "Naming":
        """Parse an expression such as `(?P<job>[^/]+)/gpu(?P<rank>[0-9]+)`. Raises UsageError."""
        if text is None:
            return cls()
        try:
            names = {name for name in _groups(text, "") if not name.isdecimal()}
        except pl.exceptions.PolarsError as error:
            raise UsageError(f"{text!r} is not a regular expression: {str(error).splitlines()[-1]}") from error
        if not names or names - {"job", "rank"}:
            raise UsageError(f"{text!r} needs a group called job or rank, as in (?P<job>[^/]+)/(?P<rank>\\d+)")
        return cls(text)

    def of(self, path: str) -> tuple[str, int | None]:
        """The job and the rank of a path; the rank may be None. Raises UsageError if the user's rank is not a number."""
        job, rank = _default(PurePosixPath(path))
        groups = _groups(self.pattern, path) if self.pattern else {}
        if digits := groups.get("rank"):
            if not digits.isdecimal():
                raise UsageError(f"{digits!r} in {path} is not a rank: the group rank must match only digits")
            rank = _number(digits)
        return _fitting(groups.get("job") or job), rank


def _groups(pattern: str, text: str) -> dict[str, str | None]:
    """What the groups of the first match hold, by name or number. Polars' expressions take no longer than the text is long."""
    found: dict[str, str | None] = pl.Series([text]).str.extract_groups(pattern).to_list()[0]
    return found


def _default(path: PurePosixPath) -> tuple[str, int | None]:
    folder = path.parent
    folder_rank = RANK.fullmatch(folder.name)
    if folder_rank:
        folder = folder.parent
    digits = rank_digits(path.stem) or (folder_rank and folder_rank[1])
    job = _JOB.search(str(path))
    return job[1] if job else folder.name, _number(digits) if digits else None


def _number(digits: str) -> int | None:
    """The rank; None for a number that is too large for one, as a time or an id."""
    return int(digits) if len(digits) <= RANK_DIGITS else None


def _fitting(job: str) -> str:
    """The job as it is the name of a folder. One that is too long is cut, with a digest of the whole."""
    if len(quote(job, safe="")) <= JOB_BYTES:
        return job
    digest = sha256(job.encode()).hexdigest()[:8]
    return next(cut for chars in range(len(job), -1, -1) if len(quote(cut := f"{job[:chars]}…{digest}", safe="")) <= JOB_BYTES)
