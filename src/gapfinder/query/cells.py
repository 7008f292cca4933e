"""How a value is written where there is nothing but text."""

import json
from typing import Any


def as_text(value: Any) -> str:
    """A value as text: lists and structs as JSON, bytes in hexadecimal."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=as_text)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
