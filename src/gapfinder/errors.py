"""The errors that a user can cause. Each message is one line that says what is wrong and what to do about it."""

from collections.abc import Iterable
from difflib import get_close_matches

LIKENESS = 0.5  # 0 to 1, of difflib: what is less alike was not meant


class GapfinderError(Exception):
    """The base of all errors that are printed as one line on standard error."""

    exit_status = 3


class TraceError(GapfinderError):
    """The trace cannot be used, or something that is needed to read it is missing."""


class NoWorkError(TraceError):
    """The trace is intact, but the GPU ran nothing in it."""


class CaptureError(GapfinderError):
    """A program could not be recorded."""


class UsageError(GapfinderError):
    """The request is wrong: an option, an argument, or something that the trace does not have."""

    exit_status = 2


class OutputError(GapfinderError):
    """What was asked for cannot be written: the disk is full, or its folder may not be written to."""


class GateError(GapfinderError):
    """A gate failed. The result of each was already printed, so the message only counts them."""

    exit_status = 1


def first_line(error: Exception | str) -> str:
    """The first line of the message of an error, without the excerpts that others put below it."""
    return str(error).partition("\n")[0]


# A name is compared with so many others at most, of up to twice its length: with 30,000 long ones it takes 12 s.
MOST_NAMES, MIN_CHARS = 2_000, 10


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What follows a name that is not known in a message: a question with the nearest one. Empty where none is near."""
    alike = [one for one in known if abs(len(one) - len(name)) <= max(len(name), MIN_CHARS)]
    near = get_close_matches(name, alike[:MOST_NAMES], 1, LIKENESS)
    return f" (did you mean {near[0]}?)" if near else ""


def recorded_by(option: str = "") -> str:
    """What to do where a trace lacks events: the command that records them, and where the flags of nsys are listed."""
    return f"`gapfinder capture{option}` records them (flags of nsys: `gapfinder guide capture`)"
