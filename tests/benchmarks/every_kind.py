"""Measures how the time of a diagnosis grows with the length of a trace, for traces of every kind.

    python tests/benchmarks/every_kind.py                    all labelled fixtures
    python tests/benchmarks/every_kind.py TRACE.sqlite ...   your own traces

Copies of each trace are laid end to end, to a number of rows and to four times as many. If a row of the longer trace takes more
time, a query does not scale.
"""

import tempfile
from pathlib import Path

import click
from bench import counts, diagnose, machine
from lay_end_to_end import lay_end_to_end
from originals import FIXTURES
from programs import Program
from rich.console import Console
from rich.table import Table

UNUSABLE = ("no_gpu_work",)
TRACES = [path for path in sorted(FIXTURES.glob("*.sqlite")) if path.stem not in UNUSABLE]
FACTOR = 4


@click.command()
@click.argument("traces", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rows", default=200_000, show_default=True, help="Number of rows of the shorter trace.")
def main(traces, rows):
    """Measure gapfinder on TRACES, SQLite exports, at two lengths.  [default: the fixtures]"""
    table = Table(box=None, pad_edge=False)
    for column in ("trace", "rows", "seconds", "rows", "seconds", "a row"):
        table.add_column(column, justify="left" if column == "trace" else "right")
    with tempfile.TemporaryDirectory(prefix="gapfinder-bench-") as folder:
        results = [measure(trace, rows, Path(folder) / "long.sqlite") for trace in traces or TRACES]
    for name, short, long in sorted(results, key=lambda row: -growth(*row[1:])):
        table.add_row(
            name,
            *(f"{value:{spec}}" for length in (short, long) for value, spec in zip(length, (",", ".2f"), strict=True)),
            f"{growth(short, long):.2f}",
        )
    Console(highlight=False, width=120).print(machine(), "", table, sep="\n")


def measure(trace, rows, long):
    """The name of the trace, and (rows, seconds) for each of the two lengths."""
    times = max(1, rows // counts(trace)[0])
    lengths = []
    for factor in (1, FACTOR):
        lay_end_to_end(trace, long, factor * times)
        program = Program(trace.stem, diagnose(long))
        program.run()
        lengths.append((counts(long)[0], program.median_s))
    return trace.stem, *lengths


def growth(short, long):
    """The time per row of the longer trace, divided by that of the shorter one."""
    return (long[1] / long[0]) / (short[1] / short[0])


if __name__ == "__main__":
    main()
