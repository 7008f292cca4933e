"""One line of what the doctor finds."""

from typing import NamedTuple


class Check(NamedTuple):
    """A thing that is there or not, and what follows from it; `there` is None where it does not matter."""

    what: str
    there: bool | None
    found: str
