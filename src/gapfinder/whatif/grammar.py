"""What may be asked of a what-if.

--without CAUSE            a cause of the diagnosis, as host_sync
--without nvtx:NAME        the CPU time inside the ranges of that name; * ? [] as in a shell
--without line:FILE:LINE   the time of the Python samples on that line; FILE is a path or how it ends
--without stream:ID        what the activities of that stream wait for on other streams
--speed-up kernel:NAME=F   those kernels F times as fast; * ? [] as in a shell
--speed-up copy=F          all copies; copy:h2d, copy:d2h and copy:d2d those of one direction
--speed-up cpu=F           the CPU time of the threads that launch
"""

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gapfinder.errors import UsageError

WITHOUT = "a cause, nvtx:NAME, line:FILE:LINE or stream:ID"
SPEED_UP = "kernel:NAME=F, copy=F, copy:h2d=F, copy:d2h=F, copy:d2d=F or cpu=F"
DIRECTIONS = {"h2d": "Host-to-Device", "d2h": "Device-to-Host", "d2d": "Device-to-Device"}
FACTORS = (0.001, 1000.0)


@dataclass(frozen=True)
class Asked:
    """One change that is asked for, `text` as the user wrote it.

    `subject` is cause, nvtx, line, stream, kernel, copy or cpu; `which` of them is meant; and `faster`, how many times as fast
    it becomes: infinitely, where it is left out.
    """

    text: str
    subject: str
    which: str
    faster: float = math.inf


def without(text: str, causes: Collection[str]) -> Asked:
    """What `--without` removes; `causes` are those there are. Raises UsageError."""
    subject, colon, which = text.partition(":")
    if not colon:
        if text not in causes:
            raise UsageError(f"{text!r} is no cause; without takes {WITHOUT}; the causes are {', '.join(sorted(causes))}")
        return Asked(f"without {text}", "cause", text)
    wanted = {"nvtx": r"(?s).+", "line": r".+:\d{1,9}", "stream": r"\d{1,18}"}.get(subject)
    if not wanted or not re.fullmatch(wanted, which):
        raise UsageError(f"{text!r} is nothing that can be left out: give {WITHOUT}")
    return Asked(f"without {text}", subject, which)


def speed_up(text: str) -> Asked:
    """What `--speed-up` makes faster. Raises UsageError."""
    what, _, factor = text.rpartition("=")
    subject, colon, which = what.partition(":")
    known = (
        (subject == "kernel" and which)
        or (subject == "copy" and (which in DIRECTIONS or not colon))
        or (subject == "cpu" and not colon)
    )
    if not known:
        raise UsageError(f"{text!r} is nothing that can be sped up: give {SPEED_UP}")
    if not re.fullmatch(r"\d{1,6}(\.\d{1,9})?|\.\d{1,9}", factor) or not FACTORS[0] <= float(factor) <= FACTORS[1]:
        raise UsageError(f"{factor!r} is no factor to speed up by: give one from 0.001 to 1000, as in {what}=2")
    return Asked(f"speed-up {text}", subject, which, float(factor))


def asked(without_: Iterable[str], speed_up_: Iterable[str], causes: Collection[str]) -> list[Asked]:
    """All that is asked for. Raises UsageError, also where it is nothing."""
    found = [*(without(text, causes) for text in without_), *(speed_up(text) for text in speed_up_)]
    if not found:
        raise UsageError(f"nothing to change: give --without {WITHOUT}; or --speed-up {SPEED_UP}")
    return found
