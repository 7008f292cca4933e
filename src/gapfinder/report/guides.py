"""The guides as a part of each page."""

import re
from functools import cache
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from gapfinder.guides import guides, with_links

LOWER = {"h2": "h3", "h3": "h4"}  # below the headings of the page
_AMOUNT = re.compile(r"(\d) (?=(?:%|[num]?s)(?:\W|$))")
_COMMENT = re.compile(r"<!--.*?-->\n")


@cache
def as_html() -> str:
    """Every guide, folded, as HTML that holds no scripts and loads nothing."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    parts = []
    for guide in guides():
        text = with_links(_COMMENT.sub("", guide.text.partition("\n")[2]), _as_anchor)
        body = markdown.renderer.render([_in_page(token) for token in markdown.parse(text)], markdown.options, {})
        tables = body.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
        parts.append(f'<details><summary id="guide-{guide.topic}">{escape(guide.title)}</summary>\n{tables}</details>')
    return "\n".join(parts)


def _as_anchor(words: str, path: Path) -> str:
    """A link to a guide or to the glossary of the page; of other files only the words."""
    if path.parent == Path():
        return f"[{words}](#guide-{path.stem})"
    return f"[{words}](#glossary)" if path.name == "GLOSSARY.md" else words


def _in_page(token: Token) -> Token:
    """A part of a guide as the page takes it, which allows no style in an element."""
    token.tag = LOWER.get(token.tag, token.tag)
    if token.attrs.pop("style", None):  # the alignment of a column of numbers
        token.attrSet("class", "number")
    for part in token.children or []:
        if part.type == "text":
            part.content = _AMOUNT.sub("\\1\N{NO-BREAK SPACE}", part.content)
    return token
