"""Makes the traces of a fleet from a few real ones: stretches times, shifts clocks, and damages some files.

    python tests/benchmarks/make_fleet.py fleet --traces 1000

writes fleet/job=…/rank0.sqlite and so on, with one slow rank in each job. The same arguments make the same files.
"""

import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click
from lay_end_to_end import event_tables
from originals import FIXTURES

ORIGINALS = ("straggler_rank0", "storage_io_faulty", "module_loading_fixed", "cuda_graph", "host_sync_faulty")
FIRST_DAY_NS, DAY_NS = 1_780_272_000_000_000_000, 86_400_000_000_000  # 2026-06-01 in UTC
SLOWDOWN = 1.5  # of a slow rank
THOUSANDTHS = 1000  # the unit of factors, so that times stay integers


@dataclass(frozen=True)
class Generated:
    """The paths of the generated traces. A slow trace is good or damaged, too."""

    good: list[Path]
    slow: list[Path]
    damaged: list[Path]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--traces", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--ranks", type=click.IntRange(min=1), default=50, show_default=True, help="Ranks of each job.")
@click.option("--damaged", type=float, default=0.01, show_default=True, help="Share of the traces that are damaged.")
def main(folder, traces, ranks, damaged):
    """Write a fleet to FOLDER."""
    generated = make_fleet(folder, traces, ranks, damaged)
    click.echo(
        f"{len(generated.good)} good traces, {len(generated.damaged)} damaged ones; {len(generated.slow)} are of slow ranks"
    )


def make_fleet(folder, traces, ranks, damaged=0.01, originals=ORIGINALS):
    """Each job is made from one original, and has its own day. An existing file is not changed."""
    generated = Generated([], [], [])
    to_damage = set(random.Random(0).sample(range(traces), max(1, round(damaged * traces)) if damaged else 0))
    for number in range(traces):
        job, rank = divmod(number, ranks)
        chance = random.Random(number)
        original = FIXTURES / f"{originals[job % len(originals)]}.sqlite"
        file = folder / f"job=train{job:02}" / f"rank{rank}.sqlite"
        file.parent.mkdir(parents=True, exist_ok=True)
        slow = rank == (7 * job + 3) % ranks
        if not file.exists():
            factor = round(THOUSANDTHS * (SLOWDOWN if slow else chance.uniform(0.98, 1.02)))
            stretch(original, file, factor, shift_ns=chance.randrange(10**9), started_ns=FIRST_DAY_NS + job * DAY_NS)
            if number in to_damage:
                damage(file, chance)
        (generated.damaged if number in to_damage else generated.good).append(file)
        if slow:
            generated.slow.append(file)
    return generated


def stretch(original, target, factor, *, shift_ns, started_ns):
    """Write a trace whose times are `factor` thousandths of the original's, plus `shift_ns`."""
    shutil.copyfile(original, target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS original", (str(original),))
        connection.execute("BEGIN")
        for table in event_tables(connection):
            moved = ", ".join(f'"{name}" = "{name}" * {factor} / {THOUSANDTHS} + {shift_ns}' for name in ("start", "end"))
            connection.execute(f'UPDATE main."{table}" SET {moved} WHERE "start" >= 0')
        connection.execute("DROP TABLE IF EXISTS TARGET_INFO_SESSION_START_TIME")
        connection.execute("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER)")
        connection.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?)", (started_ns,))
        connection.execute("COMMIT")


def damage(file, chance):
    """Damage a file: cut it off, empty it, overwrite all but its start with zeros, or replace it by text."""
    kind = chance.randrange(4)
    whole = file.read_bytes()
    if kind == 0:
        file.write_bytes(whole[: len(whole) // 2])
    elif kind == 1:
        file.write_bytes(b"")
    elif kind == 2:
        file.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    else:
        file.write_bytes(b"rank 3: no space left on device\n")


if __name__ == "__main__":
    main()
