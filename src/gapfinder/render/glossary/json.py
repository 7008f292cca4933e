"""The glossary as JSON."""

import json


def render(words: dict[str, str], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """A JSON object with the meaning of each word."""
    return json.dumps(words, indent=2, ensure_ascii=False) + "\n"
