"""How much the GPU computes during a gap of one stream, compared with a plain loop that looks at each nanosecond."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapfinder.pipeline.relations import Relation, by_name, folder, of_folder
from gapfinder.pipeline.runner import Runner

ACTIVITIES = """
CREATE TABLE window_activities (
    activity_id INTEGER, kind VARCHAR, gpu INTEGER, pid INTEGER, stream BIGINT, global_tid BIGINT, start_ns BIGINT, end_ns BIGINT,
    regime INTEGER
)
"""


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as connection:
        found = [file for layer in ("00_intervals", "52_evidence") for file in of_folder(folder() / "trace" / layer)]
        empty = Relation("window_activities", "33_window", frozenset(), ACTIVITIES)
        Runner(connection, by_name([*found, empty])).make(["stream_gaps"])
        connection.execute("SET schema = 'trace'")
        yield connection


def stream_gaps(database, activities, regime_of=lambda _: 0):
    """Activities are (kind, gpu, pid, stream, start, end)."""
    database.execute("DELETE FROM window_activities")
    rows = [
        [number, *activity[:4], activity[2], *activity[4:], regime_of(activity[4])] for number, activity in enumerate(activities)
    ]
    database.executemany("INSERT INTO window_activities VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return database.execute("SELECT gpu, pid, stream, start_ns, end_ns, computing_ns FROM stream_gaps ORDER BY ALL").fetchall()


def expected(activities):
    gaps = []
    for gpu, pid, stream in {activity[1:4] for activity in activities}:
        busy = {at for activity in activities if activity[1:4] == (gpu, pid, stream) for at in range(*activity[4:])}
        computing = {at for activity in activities if activity[:2] == ("compute", gpu) for at in range(*activity[4:])}
        idle = [at for at in range(min(busy), max(busy)) if at not in busy]
        for start in (at for at in idle if at - 1 in busy):
            end = next(at for at in range(start, max(busy) + 1) if at in busy)
            gaps.append((gpu, pid, stream, start, end, len(computing & set(range(start, end)))))
    return sorted(gaps)


def test_there_is_none_from_one_regime_of_the_window_to_the_next(database):
    activities = [("compute", 0, 1, 7, start, start + 10) for start in (0, 20, 100, 120)]
    found = stream_gaps(database, activities, regime_of=lambda start: start // 100)
    assert [gap[3:5] for gap in found] == [(10, 20), (110, 120)]


def test_compute_of_another_stream_counts_inside_the_gap(database):
    activities = [("compute", 0, 1, 7, 0, 10), ("compute", 0, 1, 8, 5, 25), ("copy", 0, 1, 7, 30, 40)]
    assert stream_gaps(database, activities) == [(0, 1, 7, 10, 30, 15)]


@pytest.mark.parametrize(("one", "other"), [(4, 7), (7, 4)])
def test_activities_that_start_together_count_once(database, one, other):
    computing = [("compute", 0, 1, 8, 12, 12 + one), ("compute", 0, 1, 9, 12, 12 + other)]
    activities = [("copy", 0, 1, 7, 0, 10), *computing, ("copy", 0, 1, 7, 30, 40)]
    assert stream_gaps(database, activities) == [(0, 1, 7, 10, 30, 7)]


spans = st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda span: (span[0], sum(span)))
activities = st.lists(
    st.builds(
        lambda kind, place, span: (kind, *place, *span),
        st.sampled_from(("compute", "communication", "copy")),
        st.sampled_from(((0, 1, 7), (0, 1, 8), (0, 2, 7), (1, 1, 7), (1, 1, 8))),
        spans,
    ),
    min_size=1,
    max_size=14,
)


@given(activities)
@settings(max_examples=10 * settings.default.max_examples)
def test_each_stream_gap_is_what_a_plain_loop_finds(database, activities):
    assert stream_gaps(database, activities) == expected(activities)
