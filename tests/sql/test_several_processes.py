"""What one process, or one GPU, does is not taken for what another one does."""

import pytest
from synthetic import MS, US, Synthetic, thread


@pytest.mark.parametrize("neighbour", [False, True])
def test_code_that_another_process_loads_makes_no_warm_up(neighbour):
    """The seventh of forty steps takes six times as long."""
    trace = Synthetic()
    trace.thread(1)
    at = 0
    for step in range(40):
        slow = step == 6
        length = 60 * MS if slow else 10 * MS
        trace.nvtx("step", at, at + length - MS)
        for place in range(5):
            start = at + place * MS
            trace.kernel(start + 20 * US, start + 700 * US, (start, start + 10 * US), name=f"k{place}")
        if slow and neighbour:
            trace.call("cuModuleLoadData", at + 20 * MS, at + 21 * MS, thread=thread(2, 2))
        at += length
    if neighbour:
        trace.thread(2, 2)
        trace.kernel(30 * MS, 31 * MS, (29 * MS, 29 * MS + 10 * US), name="other", thread=thread(2, 2), gpu=1)
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT steps FROM warm_up") == [(0,)]


@pytest.mark.parametrize(("other_stream", "explained"), [(8, True), (7, False)])
def test_a_wait_of_one_of_two_streams_of_one_number_explains_neither(other_stream, explained):
    trace = Synthetic()
    trace.thread(1)
    for start in range(0, 200 * MS, 10 * MS):
        trace.nvtx("step", start, start + 9 * MS)
        for gpu, stream in ((0, 7), (1, other_stream)):
            launch = start + gpu * 100 * US
            trace.kernel(launch + 20 * US, launch + 3 * MS, (launch, launch + 10 * US), gpu=gpu, stream=stream)
        trace.stream_wait(start + 400 * US, start + 405 * US, 7)
        trace.kernel(start + 3300 * US, start + 6 * MS, (start + 450 * US, start + 460 * US), name="late", gpu=0, stream=7)
        launched = (start + 470 * US, start + 480 * US)
        trace.kernel(start + 3110 * US, start + 6 * MS, launched, name="soon", gpu=1, stream=other_stream)
    with trace.analysed() as analysis:
        found = analysis.tuples("SELECT DISTINCT gpu FROM window_segments WHERE cause = 'stream_dependency'")
    assert found == ([(0,)] if explained else [])


@pytest.mark.parametrize("ranks", [1, 4])
def test_a_name_of_the_work_is_refuted_however_many_ranks_give_it(ranks):
    """It encloses all launches of every fifth step."""
    trace = Synthetic()
    for rank in range(ranks):
        main = trace.thread(1, rank + 1)
        trace.visible(rank + 1, 0, rank)
        for step in range(20):
            start = step * 20 * MS
            trace.nvtx("step", start, start + 19 * MS, thread=main)
            if step % 5 == 0:
                trace.nvtx("load_data", start + 10 * US, start + 18 * MS, thread=main)
            for place in range(5):
                at = start + MS + place * 3 * MS
                trace.kernel(at + 20 * US, at + 2 * MS, (at, at + 10 * US), name=f"k{place}", thread=main, gpu=rank)
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT called FROM work_names") == [("load_data",)]
        assert analysis.tuples("SELECT 1 FROM window_segments WHERE cause = 'input_pipeline'") == []
