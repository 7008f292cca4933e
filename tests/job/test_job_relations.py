"""The relations of a job, made from tables of a few rows."""

from contextlib import contextmanager

import duckdb
import pytest
from synthetic import MS

from gapfinder.diagnosis.job import Charge
from gapfinder.job.blame import find_late_rank
from gapfinder.job.evidence import evidence
from gapfinder.job.words import always
from gapfinder.pipeline import relations
from gapfinder.pipeline.relations import by_name, of_folder
from gapfinder.pipeline.runner import Runner
from gapfinder.query.database import rows_of

STEP = 100 * MS


class Tables:
    """The collectives of a job, as they are found in the traces of its ranks."""

    def __init__(self, steps):
        self.connection = duckdb.connect()
        self.folder = relations.folder() / "job"
        self.connection.execute((self.folder / "tables.sql").read_text())
        self.connection.executemany(
            "INSERT INTO ranks.steps VALUES (?, ?, ?)", [(step, step * STEP, (step + 1) * STEP) for step in range(steps)]
        )
        self.connection.execute("INSERT INTO ranks.precision VALUES (20000)")
        self.ends = {}

    def collective(self, number, end_ns, starts_ns):
        """One that ends at `end_ns` on all ranks, and starts when each of them comes."""
        for rank, start_ns in starts_ns.items():
            row = (number, 0, rank, number, "AllReduce", True, start_ns, end_ns, start_ns, end_ns)
            self.connection.execute("INSERT INTO ranks.members VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            lost = (rank, end_ns, "communication", number, start_ns, end_ns, end_ns - start_ns)
            self.connection.execute("INSERT INTO ranks.losses VALUES (?, ?, ?, ?, ?, ?, ?)", lost)
            before_ns = self.ends.get(rank, 0)
            self.connection.execute("INSERT INTO ranks.stretches VALUES (?, ?, ?)", (rank, before_ns, end_ns))
            self.ends[rank] = end_ns

    def made(self):
        own = by_name(relation for relation in of_folder(self.folder) if not relation.name.startswith("ranks."))
        Runner(self.connection, own, schema="main").make_all()
        return self

    def rows(self, query):
        return rows_of(self.connection, query)


@contextmanager
def tables(steps):
    made = Tables(steps)
    yield made
    made.connection.close()


def test_steps_without_a_collective_are_steps():
    """As where gradients are added up for four steps, and then reduced."""
    with tables(16) as job:
        for step in range(3, 16, 4):
            end_ns = step * STEP + 90 * MS
            job.collective(step, end_ns, dict.fromkeys((0, 1), end_ns - 5 * MS))
        lengths = job.made().rows("SELECT * FROM step_lengths")
        assert [(row["step"], row["ns"]) for row in lengths] == [(step, STEP) for step in range(4, 16)]
        assert all(row["is_step"] for row in lengths)


def test_one_step_with_a_collective_is_no_step_of_the_job():
    with tables(4) as job:
        job.collective(0, 150 * MS, {0: 149 * MS, 1: 149 * MS})
        job.collective(1, 190 * MS, {0: 189 * MS, 1: 189 * MS})
        assert job.made().rows("SELECT is_step, ns FROM step_lengths") == [{"is_step": False, "ns": 40 * MS}]


def test_lengths_of_steps_add_up_to_the_window():
    with tables(8) as job:
        for number, step in enumerate((0, 3, 7)):
            end_ns = step * STEP + 50 * MS + number
            job.collective(number, end_ns, dict.fromkeys((0, 1), end_ns - MS))
        lengths = [row["ns"] for row in job.made().rows("SELECT ns FROM step_lengths")]
        assert len(lengths) == 7
        assert sum(lengths) == 7 * STEP + 2


@pytest.mark.parametrize("lacking", [None, 2])
def test_a_rank_that_lost_the_first_collective_of_an_episode(lacking):
    """Its time goes from the one before, as that of the others, and not from the start of the recording."""
    with tables(6) as job:
        for number in range(12):
            end_ns = number // 2 * STEP + (50, 90)[number % 2] * MS
            late = number // 2 >= 4
            starts_ns = {rank: end_ns - (2 * MS if late and rank else MS) for rank in range(3)}
            if number == 8 and lacking is not None:
                del starts_ns[lacking]
            job.collective(number, end_ns, starts_ns)
        episodes = job.made().rows("SELECT rank, start_ns, end_ns FROM episodes WHERE step = 4 ORDER BY rank")
        assert episodes == [{"rank": rank, "start_ns": 390 * MS, "end_ns": 490 * MS} for rank in range(3)]


class Rank:
    def __init__(self, number):
        self.number = number
        self.diagnosis = type("Diagnosis", (), {"causes": []})


class Charges:
    """A job of 256 steps in which each of 128 ranks is late twice."""

    def rows(self, query):
        return [{"steps": 256}] if "job_steps" in query else [{"waiting_ns": 10 * MS} for _ in range(256)]


def test_many_ranks_that_are_late_in_turn():
    by_step = {step: {(step % 128, "host_compute"): 5e6, (step % 128, "host_sync"): 4e6} for step in range(256)}
    late = find_late_rank(Charges(), by_step, 256 * STEP, STEP, 0.03)
    assert (late.rank, late.cause, late.shown_rank, late.of_steps) == (None, "host_compute", 0, 256)
    assert late.charges == []  # none is 1 % of the waiting
    assert evidence("rank_imbalance", late, [Rank(number) for number in range(128)], [], 256) == []
    assert "rank 0 in 2, rank 1 in 2, rank 2 in 2, rank 3 in 2, 124 other ranks in 248" in always(late)


def test_small_charges_are_not_shown():
    by_step = {0: {(1, "host_compute"): 1000.0, (0, "host_sync"): 5.0}}
    late = find_late_rank(Charges(), by_step, 256 * STEP, STEP, 0.03)
    assert late.charges == [Charge(1, "host_compute", 1000 / 1005)]
