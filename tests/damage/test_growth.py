"""Values that no profiler wrote, in small files: the time grows with the rows, whatever they hold."""

import time
from contextlib import suppress

import pytest
from samples import loop
from synthetic import MS, US, Synthetic, thread
from variations import some

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.errors import TraceError

ROWS, FOURFOLD = 2_500, 4
# n log n gives a little over 4, n squared 16. What a diagnosis takes in any case counts for less in the larger trace.
MOST = 8
STEPS = 50  # of 10 ms


def one_correlation_id(many):
    trace = Synthetic()
    for start in range(0, many * 20 * US, 20 * US):
        trace.kernel(start + 5 * US, start + 15 * US, (start, start + 4 * US), correlation=7)
    return trace


def one_correlation_id_for_waits(many):
    trace = loop(steps=STEPS)
    for start in range(0, many * 5 * US, 5 * US):
        trace.stream_wait(start, start + US, stream=7)
    for table in ("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "CUPTI_ACTIVITY_KIND_RUNTIME"):
        for row in trace.tables[table]:
            row["correlationId"] = 7
    return trace


def one_id_for_thread_states(many):
    trace = loop(steps=STEPS)
    for start in range(0, many * 5 * US, 5 * US):
        trace.off_core(start, start + US)
    trace.tables["ENUM_SAMPLING_THREAD_STATE"] = [{"id": 0, "name": "Waiting", "label": "Waiting"}] * many
    return trace


def many_sessions(many):
    trace = loop(steps=STEPS)
    for _ in range(many):
        trace.session(1_700_000_000_000_000_000)
    return trace


def overlapping_syncs(many):
    trace = loop(steps=STEPS)
    for start in range(0, many * 5 * US, 5 * US):
        trace.call("cudaStreamSynchronize_v3020", start, start + 200 * MS)
    return trace


def nested_syncs(many):
    trace = loop(steps=STEPS)
    for place in range(many):
        trace.call("cudaDeviceSynchronize_v3020", place * US, 500 * MS - place * US)
    return trace


def overlapping_overheads(many):
    trace = loop(steps=STEPS)
    for start in range(0, many * 5 * US, 5 * US):
        trace.overhead(start, start + 200 * MS)
    return trace


def overlapping_os_calls(many):
    trace = loop(steps=STEPS)
    for start in range(0, many * 5 * US, 5 * US):
        trace.os("pthread_cond_wait", start, start + 200 * MS)
    return trace


def nested_ranges(many):
    trace = loop(steps=STEPS)
    for place in range(many):
        trace.nvtx(f"range {place}", 10 * MS + place * 100, 490 * MS - place * 100)
    return trace


def crossing_ranges(many):
    trace = loop(steps=STEPS)
    for place in range(many):
        trace.nvtx(f"data_load {place % 50}", 10 * MS + place * 10 * US, 200 * MS + place * 10 * US)
    return trace


def overlapping_kernels(many):
    trace = Synthetic()
    for place in range(many):
        start = place * 10 * US
        trace.kernel(start + 5 * US, start + 20 * MS, (start, start + 4 * US), stream=place % 20)
    return trace


def many_threads(many):
    trace = Synthetic()
    for place in range(many // 2):
        start = place * 100 * US
        trace.kernel(start + 50 * US, start + 90 * US, (start, start + 4 * US), thread=thread(place + 1))
    return trace


def seconds(shape, many):
    trace = shape(many)
    began = time.process_time()
    with suppress(TraceError), trace.analysed() as opened:
        diagnose(opened)
    return time.process_time() - began


SHAPES = (
    one_correlation_id, one_correlation_id_for_waits, one_id_for_thread_states, many_sessions, overlapping_syncs, nested_syncs,
    overlapping_overheads, overlapping_os_calls, nested_ranges, crossing_ranges, overlapping_kernels, many_threads,
)  # fmt: skip


@pytest.mark.parametrize("shape", some(2, SHAPES), ids=lambda shape: shape.__name__)
def test_four_times_the_rows_take_little_more_than_four_times_as_long(shape):
    seconds(shape, 10)  # whatever is loaded once
    assert seconds(shape, FOURFOLD * ROWS) < MOST * max(seconds(shape, ROWS), 0.5)
