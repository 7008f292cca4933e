"""The glossary as JSON."""

import json


def render(words: dict[str, str], *, width: int, color: bool) -> str:  # noqa: ARG001  the renderers' signature
    """An object: what each word means."""
    return json.dumps(words, indent=2, ensure_ascii=False) + "\n"
