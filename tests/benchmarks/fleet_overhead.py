"""Measures the CPU time that Dask adds: a Dask worker and a plain loop take turns to read the same trace.

python tests/benchmarks/fleet_overhead.py
"""

import os
from pathlib import Path
from statistics import mean, median

import click
from originals import FIXTURES

from gapfinder.fleet import engine
from gapfinder.fleet.naming import Naming
from gapfinder.fleet.task import Setup, examine
from gapfinder.fleet.traces import find_traces
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid):
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / TICKS


@click.command()
@click.argument("trace", type=click.Path(exists=True, path_type=Path), default=FIXTURES / "straggler_rank0.sqlite")
@click.option("--rounds", default=20, show_default=True)
def main(trace, rounds):
    """Read TRACE several times with Dask and without."""
    (one,) = find_traces([str(trace)], Naming())
    setup = Setup.of(Options(), read_config())
    ratios, loops, memory = [], [], []
    with engine.local_cluster(1) as cluster, engine.connect(cluster) as client:
        (worker,) = client.run(os.getpid).values()
        client.submit(engine.examine_on_worker, one, setup, pure=False).result()
        examine(one, setup)
        for _ in range(rounds):
            begin = cpu_s(worker) + cpu_s(os.getpid())  # scheduler and client are in this process
            future = client.submit(engine.examine_on_worker, one, setup, pure=False)
            future.result()
            future.release()
            between = cpu_s(worker) + cpu_s(os.getpid())
            examine(one, setup)
            loops.append(cpu_s(worker) + cpu_s(os.getpid()) - between)
            ratios.append((between - begin) / loops[-1])
            memory.append(int(Path(f"/proc/{worker}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6)
    click.echo(f"plain loop: {median(loops):.2f} s of CPU a trace; the engine {median(ratios) - 1:+.1%} (median of {rounds})")
    click.echo(f"the worker has {mean(memory[:3]):.0f} MB after three traces, {mean(memory[-3:]):.0f} MB after all")


if __name__ == "__main__":
    main()
