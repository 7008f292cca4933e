"""The interval primitive against plain loops: what flattens, merges, cuts and looks up intervals."""

import itertools

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from variations import ANALYSES

from gapfinder.pipeline import interval_macros
from gapfinder.pipeline.interval_macros import computed
from gapfinder.pipeline.relations import folder, of_folder

LAST, TRACKS = 12, 2
spans = st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(sorted)
placed = st.builds(lambda track, span: (track, *span), st.integers(0, TRACKS - 1), spans)
intervals = st.lists(placed, max_size=9)
more = settings(max_examples=10 * ANALYSES.max_examples)


@pytest.fixture(scope="module")
def database():
    """A database with the macros of the primitive and two relations to fill, `a` and `b`."""
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        for macro in of_folder(folder() / "trace/00_intervals"):
            connection.execute(macro.sql)
        for name in "ab":
            connection.execute(f"CREATE TABLE {name} (id INTEGER, track INTEGER, start_ns BIGINT, end_ns BIGINT)")
        yield connection


def fill(database, **relations):
    for name, rows in relations.items():
        database.execute(f"DELETE FROM {name}")
        if rows:
            database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?, ?)", [(place, *row) for place, row in enumerate(rows)])


def rows_of(database, query):
    with computed(database, query):
        return database.execute(query).fetchall()


def instants(start, end):
    return range(start, end)


def tiles_of(rows):
    """Intervals of which none overlaps another on its track: what remains of each beside those before it."""
    found = []
    for track, start, end in sorted(rows):
        free = max([start, *(other for place, _, other in found if place == track)])
        if free < end:
            found.append((track, free, end))
    return found


@given(rows=intervals)
@more
def test_flatten_gives_the_open_interval_that_began_last(database, rows):
    fill(database, a=rows)
    tiles = rows_of(database, "SELECT track, start_ns, end_ns, id FROM flatten('a') ORDER BY ALL")
    for track in range(TRACKS):
        own = [tile for tile in tiles if tile[0] == track]
        assert [start for _, start, _, _ in own[1:]] == [end for _, _, end, _ in own[:-1]], "tiles follow each other"
        innermost = {at: number for _, start, end, number in own for at in instants(start, end)}
        for at in range(LAST):
            opened = [
                (start, start - end, place)
                for place, (where, start, end) in enumerate(rows)
                if where == track and start <= at < end
            ]
            assert innermost.get(at) == (max(opened)[2] if opened else None)


@given(rows=intervals)
@more
def test_cover_is_the_time_of_all_intervals_in_disjoint_ones(database, rows):
    fill(database, a=rows)
    found = rows_of(database, "SELECT track, start_ns, end_ns, id FROM cover('a') ORDER BY ALL")
    assert len({number for *_, number in found}) == len(found)
    for (track, _, end, _), (next_track, next_start, _, _) in itertools.pairwise(found):
        assert track < next_track or end < next_start, "what touches is one interval"
    covered = {(track, at) for track, start, end, _ in found for at in instants(start, end)}
    assert covered == {(track, at) for track, start, end in rows for at in instants(start, end)}


@given(pieces=intervals, tiles=intervals.map(tiles_of))
@more
def test_intersect_tiles_cuts_each_piece_at_the_tiles(database, pieces, tiles):
    fill(database, a=pieces, b=tiles)
    rows = rows_of(database, "SELECT id, start_ns, end_ns, tile_id, track FROM intersect_tiles('a', 'b') ORDER BY ALL")
    for place, (track, start, end) in enumerate(pieces):
        own = [row for row in rows if row[0] == place]
        assert all(row[4] == track for row in own)
        assert sum(row[2] - row[1] for row in own) == end - start, "the parts of a piece add up to it"
        tile = {at: number for _, first, last, number, _ in own for at in instants(first, last)}
        for at in instants(start, end):
            under = [number for number, (where, first, last) in enumerate(tiles) if where == track and first <= at < last]
            assert tile[at] == (under[0] if under else None)
        for row, following in itertools.pairwise(own):
            assert row[2] == following[1]
            assert row[3] != following[3], "nothing is cut where no tile begins or ends"


@given(pieces=intervals, others=intervals)
@more
def test_covered_is_the_time_of_each_piece_in_which_another_interval_is_open(database, pieces, others):
    fill(database, a=pieces, b=others)
    found = {number: times for number, *times in rows_of(database, "SELECT id, length_ns, covered_ns FROM covered('a', 'b')")}
    open_at = {(track, at) for track, start, end in others for at in instants(start, end)}
    for place, (track, start, end) in enumerate(pieces):
        inside = sum((track, at) in open_at for at in instants(start, end))
        assert found.get(place, [0, 0]) == [end - start, inside]


@given(points=st.lists(st.tuples(st.integers(0, TRACKS - 1), st.integers(0, LAST)), max_size=9), tiles=intervals.map(tiles_of))
@more
def test_tile_at_gives_the_tile_that_has_begun_and_not_ended(database, points, tiles):
    fill(database, b=tiles)
    database.execute("CREATE OR REPLACE TABLE points (id INTEGER, track INTEGER, at_ns BIGINT)")
    if points:
        database.executemany("INSERT INTO points VALUES (?, ?, ?)", [(place, *point) for place, point in enumerate(points)])
    found = dict(rows_of(database, "SELECT id, tile_id FROM tile_at('points', 'b')"))
    assert len(found) == len(points)
    for place, (track, at) in enumerate(points):
        under = [number for number, (where, first, last) in enumerate(tiles) if where == track and first <= at < last]
        assert found[place] == (under[0] if under else None)


@given(rows=intervals, ranks=st.lists(st.integers(0, 1), min_size=9, max_size=9))
@more
def test_flatten_lets_the_highest_precedence_count_first(database, rows, ranks):
    fill(database, a=rows)
    database.execute("CREATE OR REPLACE TABLE ranked AS SELECT *, list_extract($1, id + 1) AS precedence FROM a", [ranks])
    tiles = rows_of(database, "SELECT track, start_ns, end_ns, id FROM flatten('ranked')")
    innermost = {(track, at): number for track, start, end, number in tiles for at in instants(start, end)}
    for track, at in itertools.product(range(TRACKS), range(LAST)):
        opened = [
            (ranks[place], start, start - end, place)
            for place, (where, start, end) in enumerate(rows)
            if where == track and start <= at < end
        ]
        assert innermost.get((track, at)) == (max(opened)[3] if opened else None)


def test_inner_interval_interrupts_outer_one(database):
    fill(database, a=[(0, 0, 10), (0, 2, 8), (0, 4, 6)])
    tiles = rows_of(database, "SELECT start_ns, end_ns, id FROM flatten('a') ORDER BY ALL")
    assert tiles == [(0, 2, 0), (2, 4, 1), (4, 6, 2), (6, 8, 1), (8, 10, 0)]


def test_flatten_gives_one_tile_for_as_long_as_one_interval_is_innermost(database):
    fill(database, a=[(0, 0, 5), (0, 3, 8), (1, 7, 9)])
    tiles = rows_of(database, "SELECT track, start_ns, end_ns, id FROM flatten('a') ORDER BY ALL")
    assert tiles == [(0, 0, 3, 0), (0, 3, 8, 1), (1, 7, 9, 2)]


def test_piece_on_no_track_has_no_tile(database):
    fill(database, b=[(0, 3, 5)])
    database.execute(
        "CREATE OR REPLACE TABLE nowhere AS SELECT 7 AS id, CAST(NULL AS BIGINT) AS track, 1 AS start_ns, 9 AS end_ns"
    )
    parts = rows_of(database, "SELECT id, track, start_ns, end_ns, tile_id FROM intersect_tiles('nowhere', 'b')")
    assert parts == [(7, None, 1, 9, None)]


def test_answers_are_forgotten_after_the_statement(database):
    fill(database, a=[(0, 0, 5)])
    rows_of(database, "FROM cover('a')")
    with pytest.raises(duckdb.CatalogException):
        database.execute("FROM cover('a')")


@pytest.mark.parametrize("tiles", [3, 40], ids=["few tiles", "more tiles than are held at once"])
def test_answer_in_parts_is_the_same_as_at_once(database, monkeypatch, tiles):
    pieces = [(place % TRACKS, place, place + 7) for place in range(50)]
    fill(database, a=pieces, b=[(place % TRACKS, 2 * place, 2 * place + 1) for place in range(tiles)])
    database.execute("CREATE OR REPLACE TABLE points AS SELECT id, track, start_ns AS at_ns FROM a")
    calls = ("intersect_tiles('a', 'b')", "covered('a', 'b')", "tile_at('points', 'b')")
    queries = [f"FROM {call} ORDER BY ALL" for call in calls]
    at_once = [rows_of(database, query) for query in queries]
    monkeypatch.setattr(interval_macros, "AT_ONCE", 8)
    assert [rows_of(database, query) for query in queries] == at_once
    assert database.execute("SELECT count(*) FROM duckdb_tables() WHERE temporary").fetchall() == [(0,)]
