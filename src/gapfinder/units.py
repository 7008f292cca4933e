"""Formats numbers, durations, values and names from a trace for output."""

import json
import re
from collections.abc import Collection
from decimal import Decimal
from typing import Any

# Control characters (C0, C1) and characters that are not seen or reorder text. None of them may reach a terminal from a trace.
_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
# What runners of CI take for commands, in whatever a program prints: GitHub's `::error::` and `##[error]`, Azure's `##vso[…]`,
# and `##teamcity[…]`.
_COMMAND = re.compile(
    r"##(?=(?:vso|teamcity)?\[)|::(?=(?:add-mask|add-matcher|add-path|debug|echo|endgroup|error|group|notice|remove-matcher|save-state|set-env"
    r"|set-output|stop-commands|warning)\b[^:]*::)"
)
NAME_CHARS = 200
LONG_UNITS = (("s", 1e9), ("ms", 1e6), ("us", 1e3))  # of time, with their length in ns
NS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}  # nanoseconds in each unit of time


def clean(name: str) -> str:
    """A name from a trace without control characters, at most 200 characters long."""
    return shortened(clean_text(name), NAME_CHARS)


def clean_path(path: str) -> str:
    """A path from a trace without control characters, of which at most the last 200 characters are shown: they name the file."""
    path = clean_text(path)
    return path if len(path) <= NAME_CHARS else "…" + path[1 - NAME_CHARS :]


def shortened(name: str, chars: int) -> str:
    """A name cut to at most `chars` characters, with … at the cut."""
    return name if len(name) <= chars else name[: chars - 1] + "…"


def common_chars(one: str, other: str) -> int:
    """How many characters two names have in common at their beginning."""
    differ = (at for at, (here, there) in enumerate(zip(one, other, strict=False)) if here != there)
    return next(differ, min(len(one), len(other)))


def names_list(names: Collection[str]) -> str:
    """Names for an error message: at most eight, each at most 40 characters long."""
    shown = [shortened(name, 40) for name in names][:8]
    more = ", …" if len(names) > len(shown) else ""
    return ", ".join(shown) + more if shown else "none"


def clean_text(text: str) -> str:
    """A text with names from a trace in it, without control characters, and without commands to a runner of CI."""
    return _COMMAND.sub("�", _CONTROL.sub("�", text))


def duration(ns: float) -> str:
    """A duration with three significant digits: 812 ns, 3.21 us, 45.6 ms, 1.23 s."""
    for unit, size in LONG_UNITS:
        if abs(ns) >= 0.9995 * size:
            return f"{_three(ns / size)} {unit}"
    return f"{ns:.0f} ns"


def between(low_ns: float, high_ns: float) -> str:
    """A range of durations: 4.32 ms to 4.94 ms, or one duration if both are written the same."""
    low, high = duration(low_ns), duration(high_ns)
    return low if low == high else f"{low} to {high}"


def timestamp(ns: int) -> str:
    """A point in time as Nsight's timeline shows it: seconds since the session began, with microseconds."""
    return f"{ns / 1e9:.6f} s"


def percent(share: float) -> str:
    """A share (0 to 1) in per cent, with one decimal."""
    return f"{round(100 * share, 1) + 0.0:.1f} %"  # never -0.0


def size(bytes_: float) -> str:
    """A size in bytes in decimal units, with three significant digits."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if bytes_ >= 0.9995 * scale:
            return f"{_three(bytes_ / scale)} {unit}"
    return f"{bytes_:.0f} B"


def amount(number: float) -> str:
    """A number with three significant digits, or all of those before its point: 0.00012, 0.475, 32.9, 2,031."""
    return f"{number:,.0f}" if abs(number) >= 99.95 else f"{Decimal(f'{number:.3g}'):f}"


def count(number: float, what: str) -> str:
    """A number with its noun: 1 copy, 0.5 copies, 1,200 copies."""
    text = amount(number)
    plural = what[:-1] + "ies" if what.endswith("y") and what[-2] not in "aeiou" else what + ("es" if what[-1] == "s" else "s")
    return f"{text} {what if text == '1' else plural}"


def as_json(value: Any, *, indent: int) -> str:
    """A value as lines of JSON, with control characters escaped."""
    return escaped_json(json.dumps(value, indent=indent, ensure_ascii=False)) + "\n"


def escaped_json(text: str) -> str:
    """A text of JSON in which control characters are escaped, but for those between its lines: in JSON no others are left.

    So are the commands to a runner of CI: the texts are the same, and the runner does not see one.
    """
    text = _CONTROL.sub(lambda found: found[0] if found[0] == "\n" else json.dumps(found[0])[1:-1], text)
    return _COMMAND.sub(lambda found: f"\\u{ord(found[0][0]):04x}{found[0][1:]}", text)


def as_text(value: Any) -> str:
    """A value of a query as text: lists and structs as JSON, bytes in hexadecimal."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=as_text)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _three(value: float) -> str:
    return f"{value:.{2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0}f}"
