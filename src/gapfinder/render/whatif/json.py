"""The answer to a what-if as one JSON object, for programs. Keys may be added, but not removed."""

from dataclasses import asdict

from gapfinder.units import as_json
from gapfinder.whatif.whatif import SCHEMA, WhatIf


def render(answer: WhatIf, *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The answer as JSON."""
    return as_json({"schema": SCHEMA, **asdict(answer)}, indent=1)
