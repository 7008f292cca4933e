"""Which calls block the CPU, and for what."""

import pytest
from synthetic import MS, US, Synthetic, thread


@pytest.fixture
def trace():
    trace = Synthetic()
    trace.kernel(0, MS, launched=(0, 5 * US))
    return trace


def blocking(trace):
    with trace.analysed() as analysis:
        return analysis.tuples("SELECT start_ns, end_ns, waits_for FROM blocking_calls ORDER BY start_ns")


@pytest.mark.parametrize("name", ["cudaDeviceSynchronize_v3020", "cudaStreamSynchronize_ptsz_v7000", "cuCtxSynchronize"])
def test_synchronize_call_blocks(trace, name):
    trace.call(name, 10 * US, MS)
    assert blocking(trace) == [(10 * US, MS, "sync")]


@pytest.mark.parametrize("host", ["Pinned", "Pageable"])
def test_a_copy_back_and_its_synchronize_call_are_one_read(trace, host):
    trace.copy(1000 * US, 1001 * US, launched=(10 * US, 15 * US), direction="Device-to-Host", host=host, size=4)
    trace.call("cudaStreamSynchronize_v3020", 15_200, 1002 * US)
    assert (10 * US, 1002 * US, "download") in blocking(trace)


def test_a_copy_up_and_its_synchronize_call_are_one_upload(trace):
    trace.copy(1000 * US, 1001 * US, launched=(10 * US, 15 * US))
    trace.call("cudaStreamSynchronize_v3020", 15_200, 1002 * US)
    assert blocking(trace) == [(10 * US, 1002 * US, "upload")]


def test_a_synchronize_call_long_after_a_copy_stands_alone(trace):
    trace.copy(1000 * US, 1001 * US, launched=(10 * US, 15 * US), direction="Device-to-Host")
    trace.call("cudaStreamSynchronize_v3020", 40 * US, 1002 * US)
    assert blocking(trace) == [(40 * US, 1002 * US, "sync")]


def test_a_synchronize_call_after_a_copy_and_a_launch_stands_alone(trace):
    """As in C++, where statements follow each other within microseconds: what is waited for is the kernel."""
    trace.copy(1000 * US, 1001 * US, launched=(10 * US, 15 * US), host="Pinned")
    trace.kernel(1001 * US, 1100 * US, launched=(16 * US, 20 * US))
    trace.call("cudaStreamSynchronize_v3020", 22 * US, 1102 * US)
    assert blocking(trace) == [(22 * US, 1102 * US, "sync")]


def test_a_synchronize_call_of_another_thread_is_no_half_of_a_pair(trace):
    trace.copy(1000 * US, 1001 * US, launched=(10 * US, 15 * US), direction="Device-to-Host")
    trace.call("cudaStreamSynchronize_v3020", 15_200, 1002 * US, thread=thread(tid=2))
    assert blocking(trace) == [(15_200, 1002 * US, "sync")]


def test_an_asynchronous_copy_from_pinned_memory_does_not_block(trace):
    trace.copy(1000 * US, 1001 * US, launched=(10 * US, 15 * US), host="Pinned")
    assert blocking(trace) == []


def test_a_copy_from_pageable_memory_blocks(trace):
    trace.copy(1000 * US, 1001 * US, launched=(10 * US, 1001 * US), host="Pageable")
    assert blocking(trace) == [(10 * US, 1001 * US, "upload")]


def test_memory_calls_block(trace):
    names = ("cudaMalloc_v3020", "cudaFree_v3020", "cuMemAlloc_v2", "cudaHostAlloc_v3020")
    for start, name in enumerate(names):
        trace.call(name, start * US, start * US + 100)
    assert blocking(trace) == [(start * US, start * US + 100, "memory") for start in range(len(names))]


def test_other_calls_do_not_block(trace):
    for name in ("cudaLaunchKernelExC_v11060", "cudaEventRecord_v3020", "cudaStreamWaitEvent_v3020", "cudaEventQuery_v3020"):
        trace.call(name, 10 * US, 90 * US)
    assert blocking(trace) == []


def asks(trace, at, times, name="cudaEventQuery_v3020", every=2 * US, **where):
    """It asks so many times whether the GPU is done, in vain but for the last time."""
    for number in range(times):
        trace.call(name, at + number * every, at + number * every + US, returned=0 if number == times - 1 else 600, **where)


def test_asking_again_and_again_blocks(trace):
    asks(trace, 10 * US, 20)
    assert blocking(trace) == [(10 * US, 49 * US, "sync")]


def test_asking_now_and_then_does_not_block(trace):
    asks(trace, 10 * US, 3)  # as a memory pool asks of several blocks
    asks(trace, 100 * US, 10, every=50 * US)
    assert blocking(trace) == []


def test_asking_between_other_calls_does_not_block(trace):
    for at in range(10 * US, 100 * US, 4 * US):
        trace.call("cudaEventQuery_v3020", at, at + US, returned=600)
        trace.call("cudaMemcpyAsync_v3020", at + 2 * US, at + 3 * US)
    assert blocking(trace) == []


def test_each_thread_and_each_object_is_asked_for_itself(trace):
    asks(trace, 10 * US, 5)
    asks(trace, 20 * US, 5, name="cudaStreamQuery_v3020")
    asks(trace, 11 * US, 5, thread=thread(tid=2))
    assert blocking(trace) == [(10 * US, 19 * US, "sync"), (11 * US, 20 * US, "sync"), (20 * US, 29 * US, "sync")]


def test_launches_block_where_nearly_all_of_them_do():
    """A brief kernel may end before its launch returns; with CUDA_LAUNCH_BLOCKING=1 all have."""
    for blocking_launches, waits in ((20, 20), (10, 0)):
        trace = Synthetic()
        for number in range(20):
            at = number * 100 * US
            trace.kernel(at + 10 * US, at + 40 * US, (at, at + (60 if number < blocking_launches else 5) * US))
        assert blocking(trace) == [(at * 100 * US + 10 * US, at * 100 * US + 60 * US, "sync") for at in range(waits)]


def copied_by_another_thread(trace, size, made=(MS, MS + 10 * US)):
    """A copy of 0.1 ms that a thread makes, with a host function behind it."""
    copier = trace.thread(7, name="py_xla_execute")
    trace.copy(2 * MS, 2100 * US, launched=made, direction="Device-to-Host", size=size, thread=copier, stream=19)
    trace.call("cuLaunchHostFunc", made[1] + 2 * US, made[1] + 4 * US, thread=copier)


@pytest.mark.parametrize(
    ("ends_us", "size", "waits"), [(2200, 4, True), (3200, 4, False), (3200, 1 << 20, True), (2050, 4, False)]
)
def test_waiting_for_a_copy_of_another_thread_blocks_until_it_is_there(trace, ends_us, size, waits):
    """And until it is copied once more on the CPU, where it is large."""
    copied_by_another_thread(trace, size)
    trace.os("futex", 500 * US, ends_us * US)
    assert ((500 * US, ends_us * US, "download") in blocking(trace)) == waits


def test_who_waits_for_a_copy_when_all_else_is_done_does_not_wait_for_the_gpu(trace):
    copied_by_another_thread(trace, 4)
    trace.os("futex", 1100 * US, 2200 * US)
    assert blocking(trace) == []


@pytest.mark.parametrize(("touched_us", "kind"), [(250, "data"), (350, "sync"), (None, "sync")])
def test_a_replay_waits_for_what_a_kernel_wrote_to_managed_memory(trace, touched_us, kind):
    """The CPU touches it before its next launch at 300 us."""
    trace.kernel(10 * US, 200 * US, (5 * US, 8 * US))
    trace.call("cudaDeviceSynchronize_v3020", 20 * US, 205 * US)
    trace.kernel(310 * US, 400 * US, (300 * US, 305 * US))
    if touched_us:
        trace.migration(touched_us * US, (touched_us + 3) * US)
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT end_ns, waits_for FROM replay_waits") == [(205 * US, kind)]


@pytest.mark.parametrize(("size", "kind"), [(4, "download"), (1 << 20, "data")])
def test_a_replay_waits_until_the_copy_is_made_and_then_for_the_copy(trace, size, kind):
    """What is more than a value to look at, the program needs."""
    copied_by_another_thread(trace, size)
    trace.os("futex", 500 * US, 2200 * US)
    with trace.analysed() as analysis:
        found = analysis.tuples("SELECT start_ns, end_ns, waits_for FROM replay_waits ORDER BY start_ns")
    assert found == [(500 * US, MS, kind), (MS + 10 * US, 2200 * US, kind)]
