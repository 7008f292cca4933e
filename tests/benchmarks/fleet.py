"""Measures `gapfinder fleet` on a thousand traces: does it survive, are its rows those of a plain loop, what does Dask cost?

    python tests/benchmarks/fleet.py

A Dask scheduler and three workers run on this machine, and one worker is killed when a third of the traces is done. At the same
time three plain loops do the same work, so that other load on the machine affects both. The cost is the CPU time of all
processes. The memory of each process is sampled. At the end, one large trace is read as a worker reads it.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import mean

import click
import duckdb
from lay_end_to_end import lay_end_to_end
from make_fleet import make_fleet
from originals import FIXTURES

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
WORKERS = 3
QUIET = os.environ | {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}  # as Dask recommends for many short tasks
WITHOUT_WORKERS = ("--workers", "0")
LARGE_COPIES = 110  # this many copies of launch_optimizer have 200 MB
FLEET, FLEET_WORKERS = 10_000, 32
LARGE = """
import resource, sys
from pathlib import Path
from gapfinder.pipeline.config import read_config
from gapfinder.fleet.naming import Naming
from gapfinder.fleet.task import Setup, examine
from gapfinder.fleet.traces import find_traces
from gapfinder.options import Options
(trace,) = find_traces([sys.argv[1]], Naming())
examine(trace, Setup.of(Options(), read_config()), int(sys.argv[2]))
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
"""


class Process:
    """A process that is started here. Its CPU time and memory are sampled from /proc while it lives."""

    def __init__(self, *command):
        command = [sys.executable, "-m", *map(str, command)]
        self.popen = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=QUIET)
        self.cpu_s, self.rss = 0.0, []
        self.errors = []
        threading.Thread(target=lambda: self.errors.extend(self.popen.stderr), daemon=True).start()

    def sample(self):
        try:
            stat = Path(f"/proc/{self.popen.pid}/stat").read_text().rpartition(")")[2].split()
            pages = int(Path(f"/proc/{self.popen.pid}/statm").read_text().split()[1])
        except (FileNotFoundError, ProcessLookupError):
            return
        if pages:  # a dead process has none
            self.cpu_s = (int(stat[11]) + int(stat[12])) / TICKS
            self.rss.append(pages * PAGE)

    def kill(self):
        self.sample()
        self.popen.send_signal(signal.SIGKILL)
        self.popen.wait()


@click.command()
@click.option("--traces", default=1000, show_default=True)
@click.option("--ranks", default=50, show_default=True, help="Ranks of each job.")
@click.option("--large/--no-large", default=True, help="Also read a trace of 200 MB.")
@click.option(
    "--folder", type=click.Path(path_type=Path), help="Keep all files in this folder, and continue with those that it has."
)
def main(traces, ranks, large, folder):
    """Measure, and print the results. The exit status is 1 if a row differs or a trace is missing."""
    with tempfile.TemporaryDirectory(prefix="gapfinder-fleet-") as temporary:
        folder = folder or Path(temporary)
        generated = make_fleet(folder / "fleet", traces, ranks)
        click.echo(f"{traces} traces, {len(generated.damaged)} of them damaged")
        both_ways(folder, traces)
        same = compare(folder, generated)
        if large:
            read_large(folder)
    sys.exit(0 if same else 1)


def both_ways(folder, traces):
    """Run Dask and the plain loops at the same time, so that other load on the machine affects both."""
    address = "tcp://127.0.0.1:18786"
    scheduler = Process("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "18786", "--no-dashboard")
    workers = [
        Process(
            "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--memory-limit", "2GB", "--local-directory", folder / f"worker{number}",
        )
        for number in range(WORKERS)
    ]  # fmt: skip
    before = [done(folder / name) for name in ("engine", "loop")]
    begin = time.perf_counter()
    client = Process("gapfinder", "fleet", folder / "fleet/**/*.sqlite", "-o", folder / "engine", "--scheduler", address)
    loops = plain_loops(folder)
    engine = [scheduler, client, *workers]
    seconds = killed_at = None
    while seconds is None or any(loop.popen.poll() is None for loop in loops):
        for process in engine + loops:
            process.sample()
        if killed_at is None and done(folder / "engine") >= before[0] + (traces - before[0]) // 3:
            workers[0].kill()
            killed_at = done(folder / "engine")
        if seconds is None and client.popen.poll() is not None:
            seconds = time.perf_counter() - begin
            for process in (scheduler, *workers[1:]):
                process.sample()
                process.popen.terminate()
        time.sleep(0.5)
    for process in (client, *loops):
        if process.popen.returncode:
            raise click.ClickException("".join(process.errors))
    engine_cpu_s, loop_cpu_s = (sum(process.cpu_s for process in group) for group in (engine, loops))
    of_engine, of_loop = (done(folder / name) - earlier for name, earlier in zip(("engine", "loop"), before, strict=True))
    others = f"{scheduler.cpu_s:.1f} of the scheduler, {client.cpu_s:.1f} of the client"
    click.echo(f"engine: {of_engine} traces in {seconds:.0f} s, {engine_cpu_s:.0f} s of CPU ({others})")
    click.echo(f"a worker was killed when {killed_at} traces were done")
    for number, worker in enumerate(workers):
        show_memory(f"worker {number}", worker)
    rate = of_loop / loop_cpu_s
    click.echo(f"plain loop: {of_loop} traces, {loop_cpu_s:.0f} s of CPU, {rate:.2f} traces per second of a core")
    for number, loop in enumerate(loops):
        show_memory(f"loop {number}", loop)
    click.echo(f"for a trace the engine takes {engine_cpu_s / of_engine * rate - 1:+.1%} of the plain loop's CPU time")


def done(ledger):
    """The number of traces in a ledger."""
    return sum(1 for _ in ledger.glob("job=*/rank=*/*.parquet"))


def show_memory(name, process):
    tenth = max(1, len(process.rss) // 10)
    early, late = mean(process.rss[tenth : 2 * tenth]) / 1e6, mean(process.rss[-tenth:]) / 1e6
    most = max(process.rss) / 1e6
    click.echo(f"  {name}: {early:.0f} MB in the second tenth of its time, {late:.0f} MB in the last, {most:.0f} at most")


def plain_loops(folder):
    """Start as many plain loops as there are workers. Each loop reads its share of the jobs."""
    jobs = sorted((folder / "fleet").iterdir())
    return [
        Process(
            "gapfinder", "fleet", *(job / "*.sqlite" for job in jobs[number::WORKERS]), "-o", folder / "loop", *WITHOUT_WORKERS
        )
        for number in range(WORKERS)
        if jobs[number::WORKERS]
    ]


def compare(folder, generated):
    """Check that both ledgers have equal rows, and that every good and every damaged trace is in them."""
    with duckdb.connect() as connection:
        for name in ("engine", "loop"):
            files = f"{folder}/{name}/*/*/*.parquet"
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM read_parquet('{files}', hive_partitioning = true)")
        differ = "(FROM engine EXCEPT ALL FROM loop) UNION ALL (FROM loop EXCEPT ALL FROM engine)"
        differing = connection.execute(differ).fetchall()
        good = {Path(row[0]) for row in connection.execute("SELECT trace FROM engine WHERE error IS NULL").fetchall()}
        bad = {Path(row[0]) for row in connection.execute("SELECT trace FROM engine WHERE error IS NOT NULL").fetchall()}
    same = not differing and good == set(generated.good) and bad == set(generated.damaged)
    verdict = "as it should be" if same else "WRONG"
    click.echo(f"{len(good)} good and {len(bad)} bad traces, {len(differing)} rows that differ: {verdict}")
    return same


def read_large(folder):
    large = folder / "large.sqlite"
    lay_end_to_end(FIXTURES / "launch_optimizer.sqlite", large, LARGE_COPIES)
    done = subprocess.run([sys.executable, "-c", LARGE, large, str(2 * 10**9)], check=True, capture_output=True, text=True)
    cpu_s, peak = map(float, done.stdout.split())
    hours = FLEET * cpu_s / FLEET_WORKERS / 3600
    click.echo(f"a trace of {large.stat().st_size / 1e6:.0f} MB: {cpu_s:.1f} s of CPU, {peak / 1e9:.2f} GB at most")
    click.echo(f"{FLEET:,} of them on {FLEET_WORKERS} workers: {hours:.2f} h")


if __name__ == "__main__":
    main()
