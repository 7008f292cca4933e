"""What the Markdown renderers share: escaped text, tables, and gates."""

import re
from collections.abc import Iterable

from gapfinder.gates.gate import GateResult, outcome

# Whatever Markdown or the HTML inside it could take for markup; a backslash makes each a character.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&@:$])")


def gates(checked: list[GateResult]) -> list[str]:
    """Lines of a table of gates; none where there are none."""
    rows = [(escape(gate.gate), escape(gate.result), outcome(gate)) for gate in checked]
    return ["", *table(("gate", "found", "outcome"), rows)] if rows else []


def escape(text: str) -> str:
    """Text that shows as it is, whatever a trace put into it."""
    return _MARKUP.sub(r"\\\1", text)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Lines of a table; all columns but the first to the right. Cells are escaped already."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return ["| " + " | ".join(cells) + " |" for cells in (head, tuple(rule), *rows)]
