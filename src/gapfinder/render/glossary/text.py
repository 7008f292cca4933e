"""The glossary for a terminal."""

from rich.padding import Padding
from rich.text import Text

from gapfinder.render.terminal import to_text


def render(words: dict[str, str], *, width: int, color: bool) -> str:
    """Each word, with its meaning below it."""
    parts = [part for word, meaning in words.items() for part in (Text(word, style="bold"), Padding(Text(meaning), (0, 0, 0, 2)))]
    return to_text(parts, width=width, color=color)
