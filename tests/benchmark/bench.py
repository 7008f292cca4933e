"""Measures whole processes, in turns, so that what else the machine does falls on all of them alike.

    python tests/benchmark/bench.py                  a trace of a million kernels, made of a fixture
    python tests/benchmark/bench.py TRACE.sqlite     a trace of one's own

Shows the median time and the largest peak memory of each, the growth from one copy of the trace to ten of it, and the time
against `nsys analyze -r gpu_gaps` on the same file where there is an nsys (GAPFINDER_NSYS names one).
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

import click
from lay_end_to_end import lay_end_to_end
from rich.console import Console
from rich.table import Table

from gapfinder.ingest import nsys

FIXTURES = Path(__file__).parents[2] / "fixtures"
SHORT = FIXTURES / "launch_optimizer.sqlite"
MILLION = 88  # copies of it
SMALL = FIXTURES / "ddp_straggler_broken.sqlite"  # 1 MB
GAPFINDER = (sys.executable, "-m", "gapfinder")


class Program:
    """A command that is run again and again. `trace` is what it reads, `seconds` and `megabytes` what each run took."""

    def __init__(self, name, command, trace=None):
        self.name, self.command, self.trace = name, list(map(str, command)), trace
        self.seconds, self.megabytes = [], []

    def run(self):
        begin = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds.append(time.perf_counter() - begin)
        # a process inherits the peak of the one that started it: less than this script's own 47 MB is never seen
        self.megabytes.append(usage.ru_maxrss * 1024 / 1e6)
        if status:
            raise click.ClickException(f"{' '.join(self.command)} fails: {process.stderr.read().decode()}")


@click.command()
@click.argument("trace", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--rounds", default=5, show_default=True, help="How often each is run.")
@click.option("--copies", default=10, show_default=True, help="Copies of TRACE to show the growth with; 1 for none.")
def main(trace, rounds, copies):
    """Measure gapfinder on TRACE, an SQLite export.  [default: a million kernels]"""
    with tempfile.TemporaryDirectory(prefix="gapfinder-bench-") as folder:
        if trace is None:
            trace = Path(folder) / "million.sqlite"
            lay_end_to_end(SHORT, trace, MILLION)
        long = Path(folder) / "long.sqlite" if copies > 1 else None
        if long:
            lay_end_to_end(trace, long, copies)
        programs = chosen(trace, long)
        for _ in range(rounds):
            for program in programs.values():
                program.run()
        show(programs, copies)


def chosen(trace, long):
    programs = {
        "help": Program("gapfinder --help", [*GAPFINDER, "--help"]),
        "small": Program("diagnose, small trace", diagnose(SMALL), SMALL),
        "one": Program("diagnose", diagnose(trace), trace),
    }
    if found := nsys.find():
        programs["nsys"] = Program("nsys analyze gpu_gaps", [found, "analyze", "-r", "gpu_gaps", "--quiet", trace], trace)
    if long:
        programs["long"] = Program("diagnose, end to end", diagnose(long), long)
    return programs


def diagnose(trace):
    return [*GAPFINDER, "diagnose", trace, "--format", "json"]


def show(programs, copies):
    table = Table("program", box=None, pad_edge=False)
    for column in ("trace MB", "kernels", "seconds", "kernels/s", "peak MB"):
        table.add_column(column, justify="right")
    for program in programs.values():
        seconds, size, count = median(program.seconds), "", 0
        if program.trace:
            size, count = f"{program.trace.stat().st_size / 1e6:.1f}", kernels(program.trace)
        rate = f"{count / seconds:,.0f}" if count else ""
        table.add_row(program.name, size, f"{count:,}" if count else "", f"{seconds:.3f}", rate, f"{max(program.megabytes):.0f}")
    console = Console(highlight=False)
    console.print(table)
    if "long" in programs:
        console.print(f"\n{copies} copies take {ratio(programs, 'long', 'one'):.2f} times as long as one")
    if "nsys" in programs:
        console.print(f"gapfinder takes {ratio(programs, 'one', 'nsys'):.2f} times as long as nsys analyze")


def ratio(programs, one, other):
    """The median of the rounds' own ratios: within a round the machine was the same."""
    return median(a / b for a, b in zip(programs[one].seconds, programs[other].seconds, strict=True))


def kernels(trace):
    with closing(sqlite3.connect(f"{trace.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]


if __name__ == "__main__":
    main()
