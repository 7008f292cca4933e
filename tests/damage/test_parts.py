"""For a window in times only a part of the trace is read. Damage in it is told as in the whole."""

import pytest
from samples import altered_copy
from traces import FIXTURES

import gapfinder

KERNELS, TRACE = "CUPTI_ACTIVITY_KIND_KERNEL", FIXTURES / "item_broken.sqlite"
WINDOW = "0.09s..0.11s"  # of 0.15 s


@pytest.fixture(autouse=True)
def _small_margin(monkeypatch):
    monkeypatch.setattr("gapfinder.ingest.read_range.MARGIN_NS", 10_000_000)


def test_a_window_around_the_whole_leaves_nothing_out():
    with gapfinder.open(TRACE, window="0s..1s") as trace:
        assert trace.tuples("SELECT * FROM partly_read") == []
        assert trace.diagnose().damage == []


def test_a_part_of_a_sound_trace_is_sound():
    with gapfinder.open(TRACE, window=WINDOW) as part:
        assert (KERNELS,) in part.tuples("SELECT table_name FROM partly_read")
        assert part.diagnose().damage == []


def test_missing_kernels_are_told_where_the_window_leaves_nothing_out(tmp_path):
    """A third of them, and the others are numbered anew. Where only a part is read, they may lie outside of it."""
    third = (
        f"CREATE TABLE kept AS SELECT * FROM {KERNELS} WHERE rowid % 3",
        f"DELETE FROM {KERNELS}",
        f"INSERT INTO {KERNELS} SELECT * FROM kept",
    )
    with gapfinder.open(altered_copy(TRACE, tmp_path, *third), window="0.01s..0.2s") as part:
        assert any("calls submitted kernels, and only" in note for note in part.diagnose().damage)


def test_missing_calls_are_told(tmp_path):
    gone = ("DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId % 7 = 0",)
    with gapfinder.open(altered_copy(TRACE, tmp_path, *gone), window=WINDOW) as part:
        assert any(note.startswith("The calls that launched") for note in part.diagnose().damage)


def test_rows_without_times_are_told(tmp_path):
    without = (
        f"CREATE TABLE copied AS SELECT * FROM {KERNELS}",  # whose columns may be NULL
        f"DROP TABLE {KERNELS}",
        f"ALTER TABLE copied RENAME TO {KERNELS}",
        f'UPDATE {KERNELS} SET "start" = NULL WHERE rowid = (SELECT max(rowid) FROM {KERNELS} WHERE "end" < 100000000)',
    )
    with gapfinder.open(altered_copy(TRACE, tmp_path, *without), window=WINDOW) as part:
        assert any(f"Rows of {KERNELS} without a usable start and end" in note for note in part.diagnose().damage)
