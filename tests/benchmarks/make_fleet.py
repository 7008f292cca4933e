"""Makes the traces of a fleet out of a few real ones: times stretched, clocks shifted, a slow rank in each job, some damaged.

    python tests/benchmarks/make_fleet.py fleet --traces 1000

writes fleet/job=…/rank0.sqlite and so on. The same arguments make the same files.
"""

import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click
from lay_end_to_end import event_tables

FIXTURES = Path(__file__).parents[2] / "fixtures"
ORIGINALS = ("straggler_rank0", "storage_io_faulty", "module_loading_fixed", "cuda_graph", "host_sync_faulty")
FIRST_DAY_NS, DAY_NS = 1_780_272_000_000_000_000, 86_400_000_000_000  # 2026-06-01 in UTC
SLOWER = 1.5  # a slow rank takes so many times as long
PARTS = 1000  # factors are in thousandths: times stay integers


@dataclass(frozen=True)
class Made:
    """What was done to which trace, by its path."""

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
    made = make_fleet(folder, traces, ranks, damaged)
    click.echo(f"{len(made.good)} good traces, {len(made.slow)} traces of slow ranks, and {len(made.damaged)} damaged ones")


def make_fleet(folder, traces, ranks, damaged=0.01, originals=ORIGINALS):
    """Each job is of one original, and of a day of its own. A file that is there already is left as it is."""
    made = Made([], [], [])
    broken = set(random.Random(0).sample(range(traces), max(1, round(damaged * traces)) if damaged else 0))
    for number in range(traces):
        job, rank = divmod(number, ranks)
        chance = random.Random(number)
        original = FIXTURES / f"{originals[job % len(originals)]}.sqlite"
        file = folder / f"job=train{job:02}" / f"rank{rank}.sqlite"
        file.parent.mkdir(parents=True, exist_ok=True)
        slow = rank == (7 * job + 3) % ranks
        if not file.exists():
            factor = round(PARTS * (SLOWER if slow else chance.uniform(0.98, 1.02)))
            stretched(original, file, factor, shift_ns=chance.randrange(10**9), started_ns=FIRST_DAY_NS + job * DAY_NS)
            if number in broken:
                damage(file, chance)
        (made.damaged if number in broken else made.good).append(file)
        if slow:
            made.slow.append(file)
    return made


def stretched(original, target, factor, *, shift_ns, started_ns):
    """A trace whose times are `factor` thousandths of the original's, and by `shift_ns` later."""
    shutil.copyfile(original, target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS original", (str(original),))
        connection.execute("BEGIN")
        for table in event_tables(connection):
            moved = ", ".join(f'"{name}" = "{name}" * {factor} / {PARTS} + {shift_ns}' for name in ("start", "end"))
            connection.execute(f'UPDATE main."{table}" SET {moved} WHERE "start" >= 0')
        connection.execute("DROP TABLE IF EXISTS TARGET_INFO_SESSION_START_TIME")
        connection.execute("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER)")
        connection.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?)", (started_ns,))
        connection.execute("COMMIT")


def damage(file, chance):
    """As files get damaged: cut off, emptied, overwritten in the middle, or never a trace."""
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
