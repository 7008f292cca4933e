"""The words that gapfinder uses, as `sql/GLOSSARY.md` explains them."""

import re

from gapfinder.pipeline import relations

_ENTRY = re.compile(r"^- \*\*(.+?)\*\*: (.+(?:\n  .+)*)", re.MULTILINE)


def text() -> str:
    """The whole file, as Markdown."""
    return (relations.folder() / "GLOSSARY.md").read_text(encoding="utf-8")


def glossary() -> dict[str, str]:
    """What each word means, in plain text and in the order of the file."""
    return {term: re.sub(r"\s+", " ", meaning).replace("`", "") for term, meaning in _ENTRY.findall(text())}
