"""One JSON object, for programs. The keys are a contract: more may come, none goes."""

import json
from dataclasses import asdict

from gapfinder.whatif.whatif import SCHEMA, WhatIf


def render(answer: WhatIf, *, width: int, color: bool) -> str:  # noqa: ARG001  the same for every renderer
    """The answer as JSON."""
    return json.dumps({"schema": SCHEMA, **asdict(answer)}, indent=1, ensure_ascii=False) + "\n"
