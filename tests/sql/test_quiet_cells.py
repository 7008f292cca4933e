"""In most cells of the window nothing changes, and what holds at a gap is looked up by the number of its cell."""

import pytest
from synthetic import MAIN, MS, US, Synthetic, thread, tuples

from gapfinder.options import Options, Window

ALL = Options(window=Window(everything=True))
AUTOGRAD = thread(2)
ACTIVITIES = 1_000


@pytest.fixture
def trace():
    """A kernel every 100 us, every fourth launched by a second thread; a range of 1 ms in every 10, and one around the end."""
    found = Synthetic()
    for number in range(ACTIVITIES):
        at = number * 100 * US
        found.kernel(at + 20 * US, at + 70 * US, (at, at + 5 * US), thread=AUTOGRAD if number % 4 == 3 else MAIN)
        if number % 100 == 50:
            found.nvtx("phase", at - 3 * US, at + MS)
    found.nvtx("last", 95 * MS + 7 * US, 900 * MS)
    return found


def by_cell(analysis):
    """Of the gaps that a cell tells of: the moment's time by the cell, and by its definition."""
    return tuples(
        analysis,
        """
        SELECT m.at_ns, (SELECT max(o.at_ns) FROM moments AS o WHERE o.global_tid = g.global_tid AND o.at_ns <= g.start_ns)
        FROM gaps AS g
        CROSS JOIN window_cells AS c
        INNER JOIN quiet_cells AS q ON q.global_tid = g.global_tid AND q.cell = (g.start_ns - c.from_ns) // c.length_ns
        INNER JOIN moments AS m ON m.rowid = g.moment_id AND m.global_tid = g.global_tid
        """,
    )


@pytest.mark.parametrize("options", [ALL, Options(window=Window(from_ns=30 * MS, to_ns=60 * MS))])
def test_a_cell_tells_the_last_moment_before_a_gap(trace, options):
    with trace.analysed(options, upto="3_gaps") as analysis:
        found = by_cell(analysis)
        gaps = tuples(analysis, "SELECT count(*) FROM gaps")[0][0]
    assert len(found) > 0.6 * gaps
    assert all(told == last for told, last in found)


def test_no_moment_lies_in_a_quiet_cell(trace):
    with trace.analysed(ALL, upto="3_gaps") as analysis:
        inside = tuples(
            analysis,
            """
            SELECT count(*), count(DISTINCT q.global_tid)
            FROM quiet_cells AS q
            INNER JOIN moments AS m ON m.global_tid = q.global_tid
            CROSS JOIN window_cells AS c
            WHERE m.at_ns > c.from_ns + q.cell * c.length_ns AND m.at_ns < c.from_ns + (q.cell + 1) * c.length_ns
            """,
        )
        threads = tuples(analysis, "SELECT count(DISTINCT global_tid) FROM quiet_cells")
    assert inside == [(0, 0)]
    assert threads == [(2,)]


def test_cells_are_cut_of_the_window_alone(trace):
    """Ranges around it, however long, take no more of them."""
    with trace.analysed(Options(window=Window(from_ns=98 * MS, to_ns=99 * MS)), upto="3_gaps") as analysis:
        length, first, last = tuples(
            analysis, "SELECT length_ns, min(cell), max(cell) FROM quiet_cells, window_cells GROUP BY ALL"
        )[0]
    assert first >= 0
    assert (last + 1) * length <= MS


def test_where_no_cell_is_quiet_the_order_tells(trace):
    """A range for each launch: segments are as by hand."""
    for number in range(ACTIVITIES):
        trace.nvtx(f"activity {number % 3}", number * 100 * US, number * 100 * US + 6 * US)
    with trace.analysed(ALL, upto="3_gaps") as analysis:
        in_none = tuples(
            analysis,
            """
            SELECT count(*)
            FROM gaps AS g, window_cells AS c
            WHERE (g.global_tid, (g.start_ns - c.from_ns) // c.length_ns) NOT IN (SELECT (global_tid, cell) FROM quiet_cells)
            """,
        )[0][0]
        told = tuples(
            analysis,
            """
            SELECT s.range_id, (
                SELECT arg_max_null(m.range_id, m.at_ns)
                FROM moments AS m
                WHERE m.global_tid = g.global_tid AND m.at_ns <= s.start_ns
            )
            FROM segments AS s INNER JOIN gaps AS g ON g.gap_id = s.gap_id
            """,
        )
    assert in_none > 0.9 * ACTIVITIES
    assert len(told) > ACTIVITIES
    assert all(found == last for found, last in told)
