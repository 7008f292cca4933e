"""Lost time told by call and by Python line is the ledger's, and none of it is told twice."""

import pytest
from synthetic import MS, US, Synthetic
from traces import FIXTURES, opened

SAMPLED = ("pysample_item", "pysample_gil", "pysample_checkpoint", "host_sync_faulty")


@pytest.mark.parametrize("name", SAMPLED)
def test_the_lines_of_a_segment_add_up_to_it(name):
    trace = opened(FIXTURES / f"{name}.sqlite")
    told = trace.rows("SELECT segment_id, sum(length_ns) AS ns FROM segment_lines GROUP BY segment_id ORDER BY segment_id")
    assert told == trace.rows("SELECT segment_id, length_ns AS ns FROM segments ORDER BY segment_id")


@pytest.mark.parametrize("name", SAMPLED)
def test_a_sample_in_a_segment_tells_its_line(name):
    trace = opened(FIXTURES / f"{name}.sqlite")
    inside = trace.rows(
        "SELECT s.segment_id, p.file, p.line FROM python_samples AS p "
        "INNER JOIN trace.window_segments AS s ON s.on_global_tid = p.global_tid AND p.at_ns > s.start_ns AND p.at_ns < s.end_ns"
    )
    told = {tuple(row.values()) for row in trace.rows("SELECT segment_id, file, line FROM segment_lines")}
    assert inside
    assert {tuple(row.values()) for row in inside} <= told


@pytest.mark.parametrize("name", ["item_broken", "smallcopies_broken", "pageable_broken", "empty_cache", "healthy_gemm"])
def test_calls_do_not_cost_more_than_was_lost(name):
    trace = opened(FIXTURES / f"{name}.sqlite")
    [costs] = trace.rows("SELECT sum(lost_ns) AS ns FROM blocking_calls")
    [charged] = trace.rows("SELECT sum(lost_ns) AS ns FROM blocking_losses")
    [lost] = trace.rows("SELECT sum(length_ns) AS ns FROM segments")
    assert 0 < costs["ns"] == charged["ns"] <= lost["ns"]


def test_a_call_costs_what_the_ledger_says_of_its_cause():
    """All of host_sync but what is told by other causes: every step reads one value back, and nothing else waits."""
    trace = opened(FIXTURES / "tokenize_broken.sqlite")
    [calls] = trace.rows("SELECT sum(lost_ns) AS ns FROM blocking_calls WHERE waits_for = 'download'")
    [ledger] = trace.rows("SELECT sum(ns) AS ns FROM ledger_lines WHERE cause IN ('host_sync', 'copy')")
    assert calls["ns"] == pytest.approx(ledger["ns"], rel=0.01)


def test_a_line_has_the_time_in_which_its_samples_are_the_nearest(tmp_path):
    """Of 9 ms of code, 4 ms are on line 1, and 5 ms on line 2; a sample is taken in the middle of each."""
    trace = Synthetic()
    for start in range(0, 60 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        trace.kernel(start + 20 * US, start + MS, (start, start + 10 * US))
        for at in range(1, 10):
            trace.sample(start + at * MS + 500 * US, ("/home/user/train.py", "train", 1 if at < 5 else 2))
    told = opened(trace.write(tmp_path / "t.sqlite")).rows(
        "SELECT l.line, sum(l.length_ns) / 5e6 AS ms FROM segment_lines AS l INNER JOIN segments AS s USING (segment_id) "
        "WHERE s.state = 'run' AND s.start_ns < 50000000 GROUP BY l.line ORDER BY l.line"
    )
    assert [(row["line"], row["ms"]) for row in told] == [(1, pytest.approx(4, abs=0.05)), (2, pytest.approx(5, abs=0.05))]
