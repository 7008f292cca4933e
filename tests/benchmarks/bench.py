"""Measures the time and the memory of gapfinder, and how the time grows with the trace.

    python tests/benchmarks/bench.py                     traces of 0.1 and 1 million kernels, made from a fixture
    python tests/benchmarks/bench.py TRACE.sqlite ...    your own traces
    python tests/benchmarks/bench.py --guide             also write the table and a picture into the performance guide

Whole processes take turns, so that other load on the machine affects all of them. The table has the median times, the largest
peak memory, and the median of the ratios within a round: to the time in which SQLite alone reads the columns (floor.py), and to
`nsys analyze -r gpu_gaps` on the same file, if there is an nsys (set GAPFINDER_NSYS to its path). The column `above 1 MB` has the
time above that of a trace of 1 MB, as a multiple of SQLite's.
"""

import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from contextlib import closing
from pathlib import Path

import click
from growth import bars, picture
from lay_end_to_end import lay_end_to_end
from originals import FIXTURES
from programs import Program, megabytes, ratio
from rich.console import Console
from rich.table import Table

from gapfinder.guides import with_generated
from gapfinder.ingest.nsys import report as nsys

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GUIDE, PICTURE = ROOT / "src" / "gapfinder" / "guides" / "performance.md", ROOT / "fixtures" / "growth.svg"
SHORT = FIXTURES / "launch_optimizer.sqlite"
COPIES_PER_MILLION = 88  # this many copies of it have a million kernels
SMALL = FIXTURES / "ddp_straggler_broken.sqlite"  # 1 MB
GAPFINDER = (sys.executable, "-m", "gapfinder")
EVENTS = ("CUPTI_ACTIVITY_KIND_%", "NVTX_EVENTS", "OSRT_API")


@click.command()
@click.argument("traces", metavar="[TRACE]...", type=click.Path(exists=True, dir_okay=False, path_type=Path), nargs=-1)
@click.option("--millions", default="0.1,1", show_default=True, help="Millions of kernels of each generated trace.")
@click.option("--rounds", default=5, show_default=True, help="How often each program is run.")
@click.option("--guide", is_flag=True, help="Also write the table and a picture of the growth into the performance guide.")
def main(traces, millions, rounds, guide):
    """Measure gapfinder on each TRACE, an SQLite export, and on a Parquet copy of it.  [default: generated traces]"""
    with tempfile.TemporaryDirectory(prefix="gapfinder-bench-") as folder:
        traces = traces or [generate(Path(folder), float(number)) for number in millions.split(",")]
        small = [
            Program("import duckdb, polars, rich", [sys.executable, "-c", "import duckdb, polars, rich"]),
            Program("gapfinder --help", [*GAPFINDER, "--help"]),
            Program("diagnose, 1 MB", diagnose(SMALL)),
        ]
        measured = [Measured(path, Path(folder)) for path in traces]
        for _ in range(rounds):
            for program in small:
                program.run()
            for one in measured:
                one.run()
        show(small, measured)
        if guide:
            write_guide(small, measured)


class Measured:
    """The programs that read one trace. `rows` is the number of its events, `kernels` the number of its kernels."""

    def __init__(self, path, folder):
        self.path = path
        self.rows, self.kernels = counts(path)
        self.floor = Program("SQLite reads", [sys.executable, HERE / "floor.py", path], prints_seconds=True)
        self.sqlite = Program("diagnose", diagnose(path))
        self.parquet = Program("diagnose, Parquet", diagnose(as_parquet(path, folder / f"{path.stem}_parquet")))
        nsys_path = nsys.find()
        self.nsys = nsys_path and Program("nsys analyze gpu_gaps", [nsys_path, "analyze", "-r", "gpu_gaps", "--quiet", path])

    def run(self):
        for program in self.programs():
            program.run()

    def programs(self):
        return [program for program in (self.floor, self.sqlite, self.parquet, self.nsys) if program]


def generate(folder, million):
    path = folder / f"{million:g}M.sqlite"
    lay_end_to_end(SHORT, path, max(1, round(COPIES_PER_MILLION * million)))
    return path


def as_parquet(trace, folder):
    """Make a Parquet copy. Another process does it, so that this process stays small."""
    subprocess.run([sys.executable, HERE / "as_parquet.py", trace, folder], check=True)
    return folder


def diagnose(trace):
    return [*GAPFINDER, "diagnose", trace, "--format", "json"]


def counts(trace):
    """The number of events, and of kernels, in a trace."""
    with closing(sqlite3.connect(f"{trace.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        like = " OR ".join(f"name LIKE '{name}'" for name in EVENTS)
        tables = [name for (name,) in connection.execute(f"SELECT name FROM sqlite_master WHERE type = 'table' AND ({like})")]
        rows = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}
    return sum(rows.values()), rows.get("CUPTI_ACTIVITY_KIND_KERNEL", 0)


COLUMNS = (
    "trace", "rows", "MB", "SQLite s", "diagnose s", "peak MB", "to SQLite", "above 1 MB", "Parquet s", "to nsys",
)  # fmt: skip

LONG = (
    "trace of so many kernels", "rows", "MB", "*SQLite*, s", "`gapfinder diagnose`, s", "its largest memory, MB",
    "as a multiple of *SQLite*", "*above 1 MB*", "`gapfinder diagnose` of Parquet, s",
    "as a multiple of `nsys analyze -r gpu_gaps`",
)  # fmt: skip


def cells(one, small):
    """What was measured of a trace, as COLUMNS has it, and in the guide LONG."""
    above = (one.sqlite.median_s - small[-1].median_s) / one.floor.median_s
    return [
        one.path.stem,
        f"{one.rows:,}",
        f"{megabytes(one.path):,.0f}",
        f"{one.floor.median_s:.2f}",
        f"{one.sqlite.median_s:.2f}",
        f"{one.sqlite.peak_mb:.0f}",
        f"{ratio(one.sqlite, one.floor):.2f}",
        f"{above:.1f}",
        f"{one.parquet.median_s:.2f}",
        f"{ratio(one.sqlite, one.nsys):.2f}" if one.nsys else "",
    ]


def sentence(small):
    """What takes the same for each trace."""
    return f"{machine()}: " + ", ".join(f"`{program.name}` {program.median_s:.2f} s" for program in small) + "."


def show(small, measured):
    console = Console(highlight=False, width=120)
    console.print(sentence(small), "\n", sep="")
    table = Table(box=None, pad_edge=False)
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == "trace" else "right")
    for one in measured:
        table.add_row(*cells(one, small))
    console.print(table)
    if len(measured) > 1:
        console.print("\nMicroseconds a row", bars(growth(measured)), sep="\n")


def growth(measured):
    return {name: [(one.rows, getattr(one, name).median_s) for one in measured] for name in ("floor", "sqlite", "parquet")}


def write_guide(small, measured):
    """Write the table and the picture into the guide."""
    first, *others = zip(LONG, *(cells(one, small) for one in measured), strict=True)
    rows = [first, ["---", *["--:"] * len(measured)], *others]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    words = "\n".join(textwrap.wrap(sentence(small), 95, break_on_hyphens=False))
    picture_ = f"![Microseconds a row, by the rows of the trace](../../../fixtures/{PICTURE.name})"
    GUIDE.write_text(with_generated(GUIDE.read_text(), "tests/benchmarks/bench.py", f"{words}\n\n{table}\n{picture_}\n"))
    PICTURE.write_text(picture(growth(measured)))


def machine():
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    models = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
    model = models[0] if models else platform.machine()
    return f"{os.cpu_count()} cores ({model}), {memory_gib:.0f} GiB, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
