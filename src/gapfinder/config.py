"""The user's config: names of NVTX ranges that speak for a cause."""

import tomllib
from pathlib import Path

from gapfinder.errors import UsageError

OWN = Path(__file__).parent / "names.toml"


def read_patterns(extra: Path | None) -> dict[str, list[str]]:
    """Patterns for names of NVTX ranges: gapfinder's own and those of the user's config. Raises UsageError."""
    patterns: dict[str, list[str]] = {}
    for file in filter(None, (OWN, extra)):
        try:
            names = tomllib.loads(file.read_text()).get("names", {})
            for cause, found in names.items():
                patterns.setdefault(cause, []).extend(map(str, found))
        except (OSError, tomllib.TOMLDecodeError, AttributeError, TypeError) as error:
            raise UsageError(f"{file} is no config file: {error}; expected lists of patterns by cause under [names]") from error
    return patterns
