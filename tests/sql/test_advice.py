"""The advice on a cause names what took most of its time."""

import pytest
from synthetic import MS, US, Synthetic, thread
from traces import FIXTURES, opened

from gapfinder.diagnosis.diagnose import diagnose

STEP, STEPS = 10 * MS, 8
HELPER_A, HELPER_B = thread(8), thread(9)


def of(step):
    """A trace of eight steps of 10 ms. `step` adds what a step does to it."""
    trace = Synthetic()
    trace.thread(8, name="helper_a")
    trace.thread(9, name="helper_b")
    trace.domain("GIL Trace", 5)
    for number in range(STEPS):
        start = number * STEP
        trace.nvtx("step", start, start + STEP - US)
        trace.kernel(start + 20 * US, start + MS, (start, start + 10 * US))
        step(trace, start, number)
    return trace


def told(step):
    """The causes of such a trace, by id, and the notes."""
    with of(step).analysed() as analysis:
        found = diagnose(analysis)
    return {cause.cause: cause for cause in found.causes}, found.notes


def test_the_thread_that_holds_the_gil_longest_is_named():
    def step(trace, start, _):
        trace.nvtx("Waiting for GIL", start + MS, start + 9 * MS, domain=5)
        trace.nvtx("Holding GIL", start + MS, start + 8 * MS, thread=HELPER_A, domain=5)
        trace.nvtx("Holding GIL", start + 8 * MS, start + 9 * MS, thread=HELPER_B, domain=5)

    assert "mostly helper_a (8)" in of(step).advice("lock_contention")


@pytest.mark.parametrize(("held_ms", "named"), [(3, False), (5, True)])
def test_the_drivers_lock_is_named_where_one_thread_holds_it_for_half(held_ms, named):
    """Two that are in calls at once do not hold it for the sum of their calls."""

    def step(trace, start, _):
        trace.call("cudaStreamCreate", start + 900 * US, start + 9 * MS)
        trace.os("pthread_mutex_lock", start + MS + 10 * US, start + 9 * MS - 10 * US)
        trace.call("cudaMalloc", start + 500 * US, start + (held_ms + 1) * MS, HELPER_A)
        trace.call("cudaMalloc", start + 500 * US, start + 4 * MS, HELPER_B)

    assert ("helper_a (8) holds it" in of(step).advice("lock_contention")) == named


def test_several_threads_may_hold_the_drivers_lock_in_turn():
    def step(trace, start, number):
        trace.call("cudaStreamCreate", start + 900 * US, start + 9 * MS)
        trace.os("pthread_mutex_lock", start + MS + 10 * US, start + 9 * MS - 10 * US)
        trace.call("cudaMalloc", start + 500 * US, start + 7 * MS, HELPER_A if number < 5 else HELPER_B)

    assert "several threads hold it, helper_a (8) longest, mostly in cudaMalloc" in of(step).advice("lock_contention")


def test_a_wait_for_a_thread_is_no_read():
    """pthread_cond_wait has a "read" in it."""

    def step(trace, start, _):
        trace.nvtx("checkpoint", start + MS + 100 * US, start + 9 * MS)
        trace.os("write", start + MS + 200 * US, start + 3 * MS)
        trace.os("fsync", start + 3 * MS + 10 * US, start + 4 * MS)
        trace.os("pthread_cond_wait", start + 4 * MS + 50 * US, start + 9 * MS - US)

    assert of(step).advice("storage_io").startswith("Save in the background")


@pytest.mark.parametrize(("pageable", "pinned"), [(1, True), (6, False)])
def test_memory_is_called_pageable_where_most_of_the_time_is_for_such(pageable, pinned):
    def step(trace, start, number):
        host = "Pageable" if number < pageable else "Pinned"
        trace.copy(start + MS, start + 6 * MS, (start + 20 * US, start + 30 * US), host=host)

    causes, _ = told(step)
    assert causes["copy"].fix.startswith("The memory is pinned already") == pinned
    most = next(evidence.text for evidence in causes["copy"].evidence if evidence.text.startswith("exposed"))
    assert ("pageable memory" in most) != pinned


@pytest.mark.parametrize(("size", "made_of_it"), [(4096, True), (4, False)])
def test_what_the_cpu_makes_of_results_cannot_be_prepared(size, made_of_it):
    """It copies logits back, samples from them, and copies what it chose to the GPU. A loss is only looked at."""

    def step(trace, start, _):
        trace.copy(start + MS, start + 1100 * US, (start + 20 * US, start + 1110 * US), "Device-to-Host", "Pageable", size)
        trace.copy(start + 9 * MS + 20 * US, start + 9 * MS + 30 * US, (start + 9 * MS, start + 9 * MS + 10 * US), size=64)

    assert of(step).advice("host_compute").startswith("The CPU works on what the GPU has just computed") == made_of_it


def test_the_rest_of_a_call_that_copies_much_to_pageable_memory_is_told():
    """The GPU has done its part long before the call returns."""

    def step(trace, start, _):
        trace.copy(start + MS, start + 2 * MS, (start + 20 * US, start + 8 * MS), "Device-to-Host", "Pageable", 4 << 20)

    assert (
        of(step).advice("host_sync").startswith("Most of this time, the CPU moves what large copies bring on to pageable memory")
    )


@pytest.mark.parametrize("pause_ms", [1, 20])
def test_what_follows_the_last_activity_is_told(pause_ms):
    trace = of(lambda *_: None)
    called = (STEPS - 1) * STEP + MS + pause_ms * MS
    trace.call("cudaDeviceSynchronize", called, called + US)
    with trace.analysed() as analysis:
        notes = diagnose(analysis).notes
    assert any("until cudaDeviceSynchronize" in note for note in notes) == (pause_ms == 20)


@pytest.mark.parametrize("awaited", [False, True])
def test_copies_that_nothing_waits_for_are_not_to_be_mended(awaited):
    """They run on a stream of their own, and what computes next begins as they end, or before."""

    def step(trace, start, _):
        if awaited:
            trace.copy(start + 4 * MS, start + 5 * MS, (start + 20 * US, start + 30 * US), "Device-to-Host", stream=10)
        trace.copy(start + 500 * US, start + 6 * MS, (start + 20 * US, start + 30 * US), "Device-to-Host", stream=9)
        at = start + (6 * MS if awaited else 5 * MS)
        trace.kernel(at + 10 * US, at + 500 * US, (at - 20 * US, at - 10 * US))

    assert of(step).advice("copy").startswith("What computes next does not wait") != awaited


@pytest.mark.parametrize("vary", [False, True])
def test_shapes_that_vary_are_told_where_graphs_are_advised(vary):
    def step(trace, start, number):
        trace.copy(start + MS, start + MS + 5 * US, (start + 40 * US, start + 50 * US), size=2000 + vary * number)
        for place in range(40):
            at = start + MS + place * 100 * US
            trace.kernel(at + 90 * US, at + 95 * US, (at, at + 80 * US), name="vectorized_elementwise_kernel")

    assert ("The shapes vary" in of(step).advice("launch_bound")) == vary


@pytest.mark.parametrize("traced", [False, True])
def test_workers_that_were_traced_are_not_asked_for(traced):
    worker = thread(8, pid=2)

    def step(trace, start, number):
        if number == 0:
            trace.thread(8, pid=2, name="pt_data_worker")
        trace.nvtx("load_batch", start + MS + 100 * US, start + 9 * MS)
        if traced:
            trace.os("read", start + MS, start + 9 * MS, thread=worker)

    causes, notes = told(step)
    assert causes["input_pipeline"].is_finding
    assert any("workers were not traced" in note for note in notes) != traced


def test_a_sample_counts_once_for_its_line():
    trace = opened(FIXTURES / "pysample_item.sqlite")
    counted = dict(trace.tuples("SELECT line, count(*) FROM lines_host_sync GROUP BY line"))
    sampled = dict(trace.tuples("SELECT line, count(*) FROM python_samples GROUP BY line"))
    assert counted
    assert all(times <= sampled[line] for line, times in counted.items())


@pytest.mark.parametrize(("copied_ms", "told_so"), [(6, False), (7, True)])
def test_where_the_link_is_busy_fewer_bytes_help(copied_ms, told_so):
    """Nothing hides copies that take two thirds of a step."""

    def step(trace, start, _):
        copy = (start + MS, start + MS + copied_ms * MS)
        trace.copy(*copy, (start + 10 * US, start + 15 * US), "Device-to-Host", size=copied_ms * 50_000_000)

    assert (f"these copies take {copied_ms} ms a step at 50 GB/s" in of(step).advice("copy")) == told_so


def test_code_while_others_wait_for_a_lock_gets_advice_on_both():
    def step(trace, start, _):
        trace.kernel(start + 100 * US, start + 200 * US, (start + 50 * US, start + 60 * US), thread=HELPER_A, stream=8)
        trace.os("pthread_mutex_lock", start + 900 * US, start + STEP, HELPER_A)

    assert (
        of(step)
        .advice("lock_contention")
        .startswith("One thread runs CPU code while others that launch GPU work wait for a lock")
    )


@pytest.mark.parametrize(("code_ms", "told_so"), [(3, True), (0, False)])
def test_code_after_a_needed_wait_is_told(code_ms, told_so):
    """The wait took a run-ahead of 4 ms, in which such code, or launches, would have been hidden."""

    def step(trace, start, _):
        trace.kernel(start + MS, start + 5 * MS, (start + 30 * US, start + 40 * US))
        trace.call("cudaStreamSynchronize", start + 50 * US, start + 5 * MS + 10 * US)
        for at in range(start + 5 * MS + code_ms * MS + 20 * US, start + 9 * MS, 200 * US):
            trace.kernel(at + 20 * US, at + 30 * US, (at, at + 10 * US))

    assert ("code after the wait" in of(step).advice("host_sync")) == told_so


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        ("cuGraphExecKernelNodeSetParams_v2", "Each step updates CUDA graphs 80 times before it launches them"),
        ("cuKernelGetAttribute", "Each step is one launch already"),
    ],
)
def test_updates_of_graphs_are_told_from_launches(call, advice):
    def step(trace, start, _):
        for at in range(start + MS + 100 * US, start + 9 * MS + 100 * US, 100 * US):
            trace.call(call, at, at + 50 * US)

    assert of(step).advice("launch_bound").startswith(advice)


def test_advice_on_calls_that_prefetch_is_for_them():
    trace = of(lambda trace, start, _: trace.call("cudaMemPrefetchAsync_v12020", start + MS, start + 9 * MS))
    assert trace.advice("page_migration").startswith("Prefetch the pages on a side stream")


@pytest.mark.parametrize(("touched_ms", "advice"), [(8, "The CPU touches managed memory"), (2, "Kernels touch managed memory")])
def test_advice_on_pages_is_for_who_waits_longest(touched_ms, advice):
    """As many bytes go to the GPU, which waits for them where the CPU does not touch them."""

    def step(trace, start, _):
        for at in range(start + MS + 40 * US, start + (1 + touched_ms) * MS, 40 * US):
            trace.migration(at, at + 2 * US)
        trace.migration(start + (1 + touched_ms) * MS, start + 9900 * US, "Unified Host-to-Device", size=2 << 20)

    assert of(step).advice("page_migration").startswith(advice)


@pytest.mark.parametrize(("kernel", "for_cudnn"), [("cudnn_generated_fort_native_sdpa", True), ("gemm", False)])
def test_without_samples_of_the_compiler_the_kernel_tells_that_it_is_cudnns(kernel, for_cudnn):
    trace = Synthetic()
    for start in range(0, STEPS * 40 * MS, 40 * MS):
        trace.nvtx("step", start, start + 40 * MS - US)
        trace.kernel(start + 20 * US, start + MS, (start, start + 10 * US))
        trace.call("cuLibraryLoadData", start + 30 * MS, start + 30 * MS + 50 * US)
        trace.kernel(start + 31 * MS, start + 32 * MS, (start + 31 * MS - 10 * US, start + 31 * MS - 5 * US), name=kernel)
    assert trace.advice("module_loading").startswith("cuDNN compiles kernels at run time") == for_cudnn


@pytest.mark.parametrize(
    ("stream", "advice"), [(7, "Issue the copy on a side stream"), (8, "These copies have a stream of their own")]
)
def test_a_copy_on_a_side_stream_is_not_told_to_go_there(stream, advice):
    def step(trace, start, _):
        trace.copy(
            start + MS, start + 5 * MS, (start + 20 * US, start + 30 * US), "Device-to-Host", size=200 << 20, stream=stream
        )
        trace.kernel(start + 5 * MS + 2 * US, start + 9 * MS, (start + 40 * US, start + 45 * US))

    assert of(step).advice("copy").startswith(advice)


@pytest.mark.parametrize(
    ("flag", "advice"), [(1, "The default stream takes turns"), (2, "These copies have a stream of their own")]
)
def test_a_copy_that_the_default_stream_holds_up(flag, advice):
    """A small copy in the default stream stands between the upload and the kernel; no stream waits for a non-blocking one."""

    def step(trace, start, _):
        trace.copy(start + MS, start + 5 * MS, (start + 20 * US, start + 25 * US), stream=8, size=200 << 20)
        trace.copy(start + 5 * MS + 7 * US, start + 5 * MS + 9 * US, (start + 30 * US, start + 35 * US), size=16 << 10)
        trace.kernel(start + 5 * MS + 18 * US, start + 9 * MS, (start + 40 * US, start + 45 * US), stream=9)

    trace = of(step)
    for number, how in ((7, 3), (8, flag), (9, flag)):
        trace.stream(number, how)
    assert trace.advice("copy").startswith(advice)
