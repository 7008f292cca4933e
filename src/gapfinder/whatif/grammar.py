"""Parses the changes of a what-if.

--without CAUSE            a cause of the diagnosis, for example host_sync
--without nvtx:NAME        the CPU time inside the NVTX ranges of that name; wildcards * ? [] as in a shell
--without line:FILE:LINE   the CPU time of the Python samples on that line; FILE is a path, or the end of one
--without stream:ID        the waits of that stream's activities for other streams
--speed-up kernel:NAME=F   makes the kernels of that name F times as fast; wildcards as above
--speed-up copy=F          makes all copies F times as fast; copy:h2d, copy:d2h, copy:d2d and copy:p2p those of one direction
--speed-up cpu=F           makes the CPU code of the launching threads F times as fast
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gapfinder.errors import UsageError, did_you_mean
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.system.texts import texts

WITHOUT = "a cause, nvtx:NAME, line:FILE:LINE or stream:ID"
SPEED_UP = "kernel:NAME=F, copy=F, copy:h2d=F, copy:d2h=F, copy:d2d=F, copy:p2p=F or cpu=F"
DIRECTIONS = {"h2d": "Host-to-Device", "d2h": "Device-to-Host", "d2d": "Device-to-Device", "p2p": "Peer-to-Peer"}
FACTORS = (0.001, 1000.0)


@dataclass(frozen=True)
class Request:
    """One change that the user requests. `text` is the change as the user wrote it.

    `subject` is cause, nvtx, line, stream, kernel, copy or cpu. `target` says which of them. `speedup` is how many times as fast
    it becomes; infinite if it is removed.
    """

    text: str
    subject: str
    target: str
    speedup: float = math.inf


def matches(name: str, wanted: str) -> bool:
    """Whether a name of the trace is the one that is wanted, which may have brackets or asterisks, or fits its wildcards."""
    return name == wanted or fnmatchcase(name, wanted)


def without(text: str, causes: Mapping[str, CauseSpec]) -> Request:
    """Parse an argument of `--without`. `causes` are the known causes. Raises UsageError."""
    removable = sorted(cause for cause, spec in causes.items() if spec.remove)
    subject, colon, target = text.partition(":")
    if not colon:
        if text not in removable:
            near = did_you_mean(text, removable)
            raise UsageError(
                f"{text!r} is not a cause that can be removed{near}: give {WITHOUT}; the causes are {', '.join(removable)}"
            )
        return Request(f"without {text}", "cause", text)
    pattern = {"nvtx": r"(?s).+", "line": r".+:\d{1,9}", "stream": r"\d{1,18}"}.get(subject)
    if not pattern or not re.fullmatch(pattern, target):
        raise UsageError(f"{text!r} cannot be removed: give {WITHOUT}")
    return Request(f"without {text}", subject, target)


def speed_up(text: str) -> Request:
    """Parse an argument of `--speed-up`. Raises UsageError."""
    what, _, factor = text.rpartition("=")
    subject, colon, target = what.partition(":")
    known = (
        (subject == "kernel" and target)
        or (subject == "copy" and (target in DIRECTIONS or not colon))
        or (subject == "cpu" and not colon)
    )
    if not known:
        raise UsageError(f"{text!r} cannot be made faster: give {SPEED_UP}")
    if not re.fullmatch(r"\d{1,6}(\.\d{1,9})?|\.\d{1,9}", factor) or not FACTORS[0] <= float(factor) <= FACTORS[1]:
        raise UsageError(
            f"{factor!r} is not a speed-up factor: give a number from {FACTORS[0]:g} to {FACTORS[1]:g}, as in {what}=2"
        )
    return Request(f"speed-up {text}", subject, target, float(factor))


def parse_requests(removals: Iterable[str], speed_ups: Iterable[str], causes: Mapping[str, CauseSpec]) -> list[Request]:
    """Parse all arguments of `--without` and `--speed-up`. Raises UsageError if one is wrong, or if there is none."""
    requests = [*(without(text, causes) for text in texts(removals)), *(speed_up(text) for text in texts(speed_ups))]
    if not requests:
        raise UsageError(f"nothing to change: name what to leave out ({WITHOUT}), or what to make faster ({SPEED_UP})")
    return requests
