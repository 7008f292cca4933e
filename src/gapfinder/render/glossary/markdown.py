"""The glossary as Markdown: the text of `sql/GLOSSARY.md`."""

from gapfinder.pipeline.glossary import text


def render(words: dict[str, str], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """The whole file."""
    return text()
