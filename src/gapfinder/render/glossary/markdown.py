"""The glossary as Markdown, as `sql/GLOSSARY.md` has it."""

from gapfinder.pipeline.glossary import text


def render(words: dict[str, str], *, width: int, color: bool) -> str:  # noqa: ARG001  the renderers' signature
    """The whole file."""
    return text()
