"""Helpers of the text renderers: a console of a given width, tables without lines, and list items."""

from collections.abc import Iterable, Iterator
from io import StringIO
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from gapfinder.display import Table
from gapfinder.gates.gate import GateResult, line
from gapfinder.units import common_chars

BAR_WIDTH, MIN_BAR_WIDTH, NEARLY_NOTHING = 24, 4, "▏"
HTML_WIDTH = 92
FEWEST_COLUMNS, LEAST_NAME_WIDTH = 2, 8
MAX_NAME_WIDTH, NAME_WIDTH, MIN_NAME_WIDTH = 44, 30, 12  # columns: names of kernels begin alike
UNLIMITED = 10_000
KEPT_CHARS = 6  # of what names have in common, before they differ
GREY = (0x75, 0x75, 0x75)
# Black, red, green, yellow, blue, magenta, cyan, white. Each colour has a contrast of at least 4 on white and on black, and so
# has its dim form, which is half grey. Text without a style has the colour of the notebook.
READABLE = [GREY, (0xD0, 0x3B, 0x3B), (0x1F, 0x88, 0x3D), (0x98, 0x6F, 0x00)]
READABLE += [(0x2B, 0x78, 0xC5), (0xA8, 0x55, 0xB5), (0x14, 0x80, 0x8C), GREY]
THEME = TerminalTheme(GREY, GREY, READABLE)
PRE = """<pre style="margin:0;overflow-x:auto;white-space:pre;line-height:1.3;color:inherit;background:none;\
font-family:ui-monospace,Menlo,'DejaVu Sans Mono',Consolas,monospace">{code}</pre>
"""


def to_text(parts: Iterable[RenderableType], *, width: int, color: bool) -> str:
    """The parts as text of at most `width` columns, with ANSI colours if `color`."""
    console = Console(
        file=StringIO(), width=width, force_terminal=color, force_jupyter=False, no_color=not color, highlight=False
    )
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def as_html(parts: Iterable[RenderableType]) -> str:
    """The parts as one HTML element, at most 92 columns wide. Their text is escaped."""
    console = Console(file=StringIO(), width=HTML_WIDTH, record=True, force_jupyter=False, highlight=False)
    for part in parts:
        console.print(part)
    return console.export_html(theme=THEME, code_format=PRE, inline_styles=True)


class Bar(Text):
    """A share, 0 to 1, as a bar in the last column of a table."""

    def __init__(self, share: float, style: str) -> None:
        super().__init__("█" * round(BAR_WIDTH * share) or NEARLY_NOTHING, style)


class _Table(RichTable):
    """A table of which no number is cut.

    Where it is too wide, its bars become shorter, then names are shortened, then the heads of numbers are broken, and at last
    whole columns are left out, and a line below names them.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self._shorten_bars(self._excess(console, options))
        self._shorten_names(NAME_WIDTH, self._excess(console, options))
        if self._excess(console, options) > 0:
            for column in self.columns[1:]:
                if column.justify == "right":
                    width = max(map(_cells, [*str(column.header).split(), *column.cells]))
                    column.header = "\n".join(wrap(str(column.header), width))
            self._shorten_names(MIN_NAME_WIDTH, self._excess(console, options))
        self._shorten_names(LEAST_NAME_WIDTH, self._excess(console, options))
        left_out: list[str] = []
        while self._excess(console, options) > 0 and len(self.columns) > FEWEST_COLUMNS:
            left_out.insert(0, " ".join(str(self.columns.pop().header).split()))
        self.columns[0].max_width = MAX_NAME_WIDTH
        self._shorten_names(LEAST_NAME_WIDTH, self._excess(console, options))
        self._tell_apart()
        yield from super().__rich_console__(console, options)
        if left_out:
            yield Text(f"(in a wider terminal also: {', '.join(left_out)})", style="dim")

    def _shorten_bars(self, excess: int) -> None:
        bars = [cell for cell in self.columns[-1].cells if isinstance(cell, Bar)]
        if excess <= 0 or not bars:
            return
        longest = max(map(len, bars))
        if longest - excess < MIN_BAR_WIDTH:
            self.columns.pop()
        for bar in bars:
            bar.plain = bar.plain[: round(len(bar) * (longest - excess) / longest)] or NEARLY_NOTHING

    def _shorten_names(self, least: int, excess: int) -> None:
        names = self.columns[0]
        longest = max(map(_cells, [names.header, *names.cells]))
        width = min(names.max_width or longest, longest)
        if excess > 0 and width > least:
            names.max_width = max(least, width - excess)

    def _tell_apart(self) -> None:
        """Leave out what long names have in common where they would look the same, as those of variants of a kernel."""
        width = self.columns[0].max_width or UNLIMITED
        names = [cell for cell in self.columns[0].cells if isinstance(cell, Text) and cell.cell_len > width]
        alike: dict[str, set[str]] = {}
        for name in names:
            alike.setdefault(name.plain[:width], set()).add(name.plain)
        for name in names:
            if len(others := alike[name.plain[:width]]) > 1:
                common = max(common_chars(name.plain, other) for other in others if other != name.plain)
                name.plain = f"{name.plain[: width // 2]}…{name.plain[common - KEPT_CHARS :]}"

    def _excess(self, console: Console, options: ConsoleOptions) -> int:
        """By how many columns it is too wide; negative where it is not."""
        return Measurement.get(console, options.update_width(UNLIMITED), self).maximum - options.max_width


def _cells(content: RenderableType) -> int:
    return max(map(cell_len, str(content).splitlines()), default=0)


def table(title: str, *columns: tuple[str, str]) -> RichTable:
    """A table. `title` is the head of its first column; each further column is a name and an alignment, left or right."""
    result = _Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    result.add_column(title, no_wrap=True, overflow="ellipsis", max_width=MAX_NAME_WIDTH)
    for name, side in columns:
        result.add_column(name, justify="right" if side == "right" else "left", no_wrap=True, style="dim" if not name else "")
    return result


def shown(content: Table, rows: int | None = None) -> RichTable:
    """A table that all formats share, with its first rows."""
    first, *others = content.head
    result = table(first, *((name, "right") for name in others))
    for name, *cells in content.rows[:rows]:
        result.add_row(Text(name), *cells)
    return result


def gates(results: list[GateResult]) -> Iterator[RenderableType]:
    """The gates below a result; nothing where there are none."""
    if results:
        yield ""
        yield Text("Gates", style="bold")
        yield from (item(line(gate), mark="  ", style="green" if gate.passed else "bold red") for gate in results)


def items(title: str, texts: list[str]) -> Iterator[RenderableType]:
    """A list with its title; nothing where it is empty."""
    if texts:
        yield ""
        yield Text(title, style="bold")
        yield from map(item, texts)


def item(text: str, *, mark: str = "- ", style: str = "") -> RichTable:
    """One item of a list, with a hanging indent."""
    result = RichTable(box=None, show_header=False, padding=(0, 0), pad_edge=False)
    result.add_column(width=2 + len(mark))
    result.add_column(overflow="fold")
    result.add_row(" " * 2 + mark, Text(text, style=style))
    return result
