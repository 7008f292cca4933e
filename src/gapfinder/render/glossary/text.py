"""The glossary for a terminal."""

from rich.padding import Padding
from rich.text import Text

from gapfinder.render.terminal import shown


def render(words: dict[str, str], *, width: int, color: bool) -> str:
    """Each word, and below it what it means."""
    parts = [part for word, meaning in words.items() for part in (Text(word, style="bold"), Padding(Text(meaning), (0, 0, 0, 2)))]
    return shown(parts, width=width, color=color)
