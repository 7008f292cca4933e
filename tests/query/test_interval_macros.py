"""The macros on intervals in a user's own query."""

import pytest
from traces import FIXTURES, opened

from gapfinder.errors import UsageError

TRACE = FIXTURES / "item_broken.sqlite"


def test_macro_answers_a_query():
    trace = opened(TRACE)
    [parts] = trace.rows("SELECT CAST(sum(end_ns - start_ns) AS BIGINT) AS ns FROM intersect_tiles('late_states', 'range_tiles')")
    [whole] = trace.rows("SELECT CAST(sum(end_ns - start_ns) AS BIGINT) AS ns FROM late_states")
    assert parts == whole


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("FROM flatten('nosuch')", "nosuch does not exist"),
        ("WITH own AS (SELECT 1) FROM flatten('own')", "own does not exist"),
        ("FROM cover('gaps')", "gaps has no column id of whole numbers: intervals are read from id, track, start_ns, end_ns"),
        (
            "FROM tile_at('gaps', 'range_tiles')",
            "Intervals are read from a relation of the trace with id, track, at_ns.",
        ),
    ],
)
def test_what_a_macro_cannot_read_is_said_in_one_line(query, why):
    with pytest.raises(UsageError) as raised:
        opened(TRACE).sql(query)
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)
