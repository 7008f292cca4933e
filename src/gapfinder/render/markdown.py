"""Helpers of the Markdown renderers: escaped text, tables, and gates."""

import re
from collections.abc import Iterable

from gapfinder.display import Table
from gapfinder.gates.gate import GateResult, outcome

# Characters that are markup in Markdown or in the HTML inside it. A backslash before each makes it plain text.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&@:$])")


def gates(results: list[GateResult]) -> list[str]:
    """The lines of a table of gates; empty if there are no gates."""
    rows = [(escape(gate.gate), escape(gate.result), outcome(gate)) for gate in results]
    return ["", *table(("gate", "found", "outcome"), rows)] if rows else []


def escape(text: str) -> str:
    """The text with its markup escaped: names from a trace may hold anything."""
    return _MARKUP.sub(r"\\\1", text)


def shown(content: Table) -> list[str]:
    """The lines of a table that all formats share."""
    return ["", *table(content.head, [(escape(name), *cells) for name, *cells in content.rows])]


def items(title: str, texts: list[str]) -> list[str]:
    """The lines of a list with its title; none where it is empty."""
    return ["", title, "", *(f"- {escape(text)}" for text in texts)] if texts else []


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The lines of a table. All columns except the first are aligned to the right. The caller escapes the cells."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return ["| " + " | ".join(cells) + " |" for cells in (head, tuple(rule), *rows)]
