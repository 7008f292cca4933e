"""The user's config: names of NVTX ranges that speak for a cause."""

import re
import tomllib
from pathlib import Path

from gapfinder.causes import documented
from gapfinder.errors import UsageError

OWN = Path(__file__).parent / "names.toml"


def read_patterns(extra: Path | None) -> dict[str, list[str]]:
    """Patterns for names of NVTX ranges: gapfinder's own and those of the user's config. Raises UsageError."""
    patterns: dict[str, list[str]] = {}
    for file in filter(None, (OWN, extra)):
        for cause, found in _names(file).items():
            if cause not in documented():
                raise UsageError(f"{file}: there is no cause {cause!r}; the causes are {', '.join(sorted(documented()))}")
            patterns.setdefault(cause, []).extend(found)
    return patterns


def _names(file: Path) -> dict[str, list[str]]:
    try:
        names = tomllib.loads(file.read_text()).get("names", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} is no config file: {error}") from error
    if not isinstance(names, dict) or not all(isinstance(found, list) for found in names.values()):
        raise UsageError(f"{file}: expected lists of patterns by cause under [names], as in: input_pipeline = ['feeder']")
    for pattern in (pattern for found in names.values() for pattern in found):
        try:
            re.compile(pattern)
        except (re.error, TypeError) as error:
            raise UsageError(f"{file}: {pattern!r} is no regular expression: {error}") from error
    return names
