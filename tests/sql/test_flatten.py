"""The macro `flatten`, compared with a plain loop that looks at each nanosecond."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapfinder.pipeline import relations

TRACKS, TIMES = 2, 24


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as connection:
        connection.execute((relations.folder() / "trace/00_intervals/flatten.sql").read_text())
        connection.execute("CREATE TABLE events (track INTEGER, id INTEGER, start_ns BIGINT, end_ns BIGINT)")
        yield connection


def flatten(database, events):
    """Events are (track, start, end); their place in the list is their id. Returns rows (track, start, end, innermost event)."""
    database.execute("DELETE FROM events")
    if events:
        rows = [[track, number, start, end] for number, (track, start, end) in enumerate(events)]
        database.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
    query = "SELECT track, start_ns, end_ns, id FROM flatten('events') ORDER BY track, start_ns"
    return database.execute(query).fetchall()


def innermost(events, track, at):
    """The open event that started last; of those the first to end; of equal ones the last."""
    open_ones = [(start, -end, number) for number, (on, start, end) in enumerate(events) if on == track and start <= at < end]
    return max(open_ones)[2] if open_ones else None


def test_inner_event_interrupts_outer_one(database):
    assert flatten(database, [(0, 0, 10), (0, 2, 8), (0, 4, 6)]) == [
        (0, 0, 2, 0), (0, 2, 4, 1), (0, 4, 6, 2), (0, 6, 8, 1), (0, 8, 10, 0),
    ]  # fmt: skip


def test_nothing_is_open_between_two_events(database):
    assert flatten(database, [(0, 0, 2), (0, 5, 6)]) == [(0, 0, 2, 0), (0, 2, 5, None), (0, 5, 6, 1)]


def test_of_crossing_events_the_later_one_counts(database):
    assert flatten(database, [(0, 0, 5), (0, 3, 8)]) == [(0, 0, 3, 0), (0, 3, 5, 1), (0, 5, 8, 1)]


def test_of_three_crossing_events_the_last_one_counts(database):
    assert flatten(database, [(0, 0, 5), (0, 1, 20), (0, 2, 30)])[-3:] == [(0, 2, 5, 2), (0, 5, 20, 2), (0, 20, 30, 2)]


def test_of_equal_starts_the_shorter_event_is_inside(database):
    assert flatten(database, [(0, 0, 4), (0, 0, 9)]) == [(0, 0, 4, 0), (0, 4, 9, 1)]


def test_inner_event_may_end_with_outer_one(database):
    assert flatten(database, [(0, 0, 9), (0, 4, 9)]) == [(0, 0, 4, 0), (0, 4, 9, 1)]


def test_event_of_no_length_is_left_out(database):
    assert flatten(database, [(0, 3, 3)]) == []


def test_tracks_are_flattened_apart(database):
    assert flatten(database, [(0, 0, 9), (1, 4, 6)]) == [(0, 0, 9, 0), (1, 4, 6, 1)]


spans = st.tuples(st.integers(0, TIMES), st.integers(0, TIMES)).map(sorted)
events = st.lists(st.builds(lambda track, span: (track, *span), st.integers(0, TRACKS - 1), spans), max_size=9)


@given(events)
@settings(max_examples=10 * settings.default.max_examples)
def test_each_instant_has_its_innermost_event(database, events):
    rows = flatten(database, events)
    for track in range(TRACKS):
        tiles = [row for row in rows if row[0] == track]
        assert [row[1] for row in tiles[1:]] == [row[2] for row in tiles[:-1]]  # each begins where the last one ends
        found = {at: number for _, start, end, number in tiles for at in range(start, end)}
        assert {at: found.get(at) for at in range(TIMES)} == {at: innermost(events, track, at) for at in range(TIMES)}
