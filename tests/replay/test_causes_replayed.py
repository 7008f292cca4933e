"""Each cause on a timeline that has nothing else: taken away, the step takes what its mechanism says."""

import pytest
from synthetic import MS, US, Synthetic, thread

from gapfinder.diagnosis.window import window_of
from gapfinder.options import Options, Window
from gapfinder.replay.causes import changes
from gapfinder.replay.change import Change
from gapfinder.replay.predict import predict
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import Timeline

STEPS = 6


def steps(length):
    """Starts of the steps of a new trace that has their ranges."""
    trace = Synthetic()
    for start in range(0, STEPS * length, length):
        trace.nvtx("step", start, start + length)
    return trace, range(0, STEPS * length, length)


def predicted(analysed):
    return predict(analysed, Timeline.of(analysed), window_of(analysed).step_ns)


def without(trace, cause):
    with trace.analysed() as analysed:
        found = predicted(analysed)
    assert abs(found.error) < 0.01
    return found.step_ns[cause]


def test_a_sync_that_is_gone_lets_the_code_hide():
    trace, starts = steps(5 * MS)
    for start in starts:
        trace.kernel(start + MS + 10 * US, start + 4 * MS + 10 * US, (start + MS, start + MS + 5 * US))
        trace.call("cudaStreamSynchronize_v3020", start + MS + 6 * US, start + 4 * MS + 20 * US)
    assert without(trace, "host_sync") == pytest.approx(3.4 * MS, rel=0.1)


@pytest.mark.parametrize("sends", [True, False])
def test_a_copy_that_a_collective_on_the_cpu_sends_is_waited_for(sends):
    """The code after it needs its data only where it sends them to another process."""
    trace, starts = steps(10 * MS)
    gloo = trace.thread(tid=7, name="pt_gloo_runloop")
    for start in starts:
        trace.kernel(start + 10 * US, start + 4 * MS, (start, start + 5 * US))
        trace.copy(
            start + 4 * MS, start + 4500 * US, (start + 20 * US, start + 4510 * US), direction="Device-to-Host", host="Pageable"
        )
        if sends:
            trace.os("pthread_cond_wait", start + 100 * US, start + 4600 * US, thread=gloo)
            trace.os("pthread_cond_wait", start + 9800 * US, start + 9900 * US, thread=gloo)
    assert without(trace, "host_sync") == pytest.approx((10 if sends else 5.5) * MS, rel=0.1)


def test_code_after_a_sync_is_gone_with_all_that_could_have_hidden():
    trace, starts = steps(10 * MS)
    for start in starts:
        trace.kernel(start + 10 * US, start + 3 * MS, (start, start + 5 * US))
        trace.call("cudaDeviceSynchronize_v3020", start + 6 * US, start + 3 * MS + 5 * US)
    with trace.analysed() as analysed:
        lost = {row["cause"]: row["lost_ns"] / STEPS for row in analysed.rows("SELECT * FROM cause_totals")}
        found = predicted(analysed)
    assert lost["host_sync"] == pytest.approx(3 * MS, rel=0.01)
    assert found.step_ns["host_compute"] == pytest.approx(3 * MS, rel=0.03)


def test_a_free_that_is_not_made_takes_no_run_ahead():
    trace, starts = steps(5 * MS)
    for start in starts:
        trace.kernel(start + 10 * US, start + 3 * MS, (start, start + 5 * US))
        trace.call("cudaFree_v3020", start + 100 * US, start + 4 * MS)
        trace.kernel(start + 4900 * US, start + 5 * MS, (start + 4890 * US, start + 4895 * US))
    # 0.985 ms of code are left of the CPU's step: the GPU's 3.1 ms are the longer
    assert without(trace, "memory_management") == pytest.approx(3.1 * MS, rel=0.03)


def test_a_pool_that_keeps_its_memory_lets_a_synchronize_call_return():
    trace, starts = steps(5 * MS)
    for start in starts:
        trace.kernel(start + 10 * US, start + MS, (start, start + 5 * US))
        trace.call("cudaFreeAsync_v11020", start + 10 * US, start + 15 * US)
        trace.call("cudaStreamSynchronize_v3020", start + 20 * US, start + 4 * MS)
        trace.kernel(start + 4900 * US, start + 5 * MS, (start + 4890 * US, start + 4895 * US))
    # without the 3 ms that the call takes after the kernel
    assert without(trace, "memory_management") == pytest.approx(2 * MS, rel=0.05)


def test_modules_that_are_loaded_cost_nothing():
    trace, starts = steps(5 * MS)
    for start in starts:
        trace.call("cuModuleLoadData", start + 100 * US, start + 4100 * US)
        trace.kernel(start + 4200 * US, start + 5 * MS, (start + 4190 * US, start + 4195 * US))
    # what remains are the kernels
    assert without(trace, "module_loading") == pytest.approx(0.8 * MS, rel=0.05)


@pytest.mark.parametrize("before", [0, 100 * US], ids=["launched-late", "launched-before"])
def test_a_launch_that_waits_for_no_lock_is_quick(before):
    """Another thread holds the driver's lock, which the launch of the second kernel waits for."""
    trace, starts = steps(5 * MS)
    for start in starts:
        trace.kernel(start + 10 * US, start + MS, (start, start + 5 * US))
        launched = start + MS + 10 * US - before
        trace.os("pthread_rwlock_wrlock", launched + US, start + 4 * MS - 2 * US)
        trace.call("cudaFree_v3020", launched, start + 4 * MS - 3 * US, thread(2))
        trace.kernel(start + 4 * MS + 5 * US, start + 4900 * US, (launched, start + 4 * MS))
    # the kernels take 1.9 ms, and the code after them 0.1 ms
    assert without(trace, "lock_contention") == pytest.approx(2 * MS, rel=0.1)


def test_a_graph_costs_what_the_gpu_works():
    trace, starts = steps(1000 * US)
    for start in starts:
        for launch in range(start, start + 1000 * US, 20 * US):
            trace.kernel(launch + 6 * US, launch + 11 * US, (launch, launch + 5 * US))
    assert without(trace, "launch_bound") == pytest.approx(50 * 5.107 * US, rel=0.05)


def queued(trace, cause):
    """The predicted length of a whole trace, all of it queued before it runs."""
    with trace.analysed(Options(window=Window(everything=True))) as analysed:
        window = analysed.rows('SELECT * FROM "window"')[0]
        found = predicted(analysed)
    assert abs(found.error) < 0.01
    step_ns = found.step_ns.get(cause)
    return step_ns and step_ns * window["length_ns"] / window["step_ns"]


def test_queued_activities_follow_each_other_as_in_a_graph():
    trace = Synthetic()
    for number in range(100):
        at, launch = MS + number * 20 * US, number * US
        trace.kernel(at, at + 16 * US, (launch, launch + 500))
    assert queued(trace, "queue_latency") == pytest.approx(100 * 16.107 * US, rel=0.01)


def test_streams_that_wait_for_no_other_run_side_by_side_but_compute_as_long():
    trace = Synthetic()
    for number in range(100):
        at, launch = MS + number * 100 * US, number * 10 * US
        stream = 13 + number % 2
        trace.stream_wait(launch, launch + US, stream)
        trace.kernel(at, at + 80 * US, (launch + 2 * US, launch + 5 * US), stream=stream)
    assert queued(trace, "stream_dependency") == pytest.approx(100 * 80 * US, rel=0.01)


def collectives(ranks, launched_every=10 * US):
    trace = Synthetic()
    for rank in range(ranks):
        where = {"gpu": rank, "thread": thread(pid=1 + rank)}
        for number in range(100):
            at, launch = MS + number * 100 * US, number * launched_every
            trace.kernel(at, at + 30 * US, (launch, launch + 3 * US), **where)
            trace.kernel(at + 31 * US, at + 99 * US, (launch + 5 * US, launch + 8 * US), name="ncclKernel", **where)
    return trace


def test_collectives_hide_behind_compute_but_last_as_long():
    assert queued(collectives(ranks=2), "communication") == pytest.approx(100 * 68 * US, rel=0.01)


def test_slower_compute_beside_collectives_may_be_faster_than_its_launches():
    launched_ns = 99 * 90 * US - MS  # since the first of them starts
    assert queued(collectives(ranks=2, launched_every=90 * US), "communication") == pytest.approx(launched_ns + 64 * US, rel=0.01)


def test_a_single_rank_does_not_tell_what_its_collectives_wait_for():
    assert queued(collectives(ranks=1), "communication") is None


def test_the_profiler_flushes_no_buffers_when_it_is_not_there():
    trace, starts = steps(5 * MS)
    for start in starts:
        trace.overhead(start + 100 * US, start + 4100 * US)
        trace.kernel(start + 4200 * US, start + 5 * MS, (start + 4190 * US, start + 4195 * US))
    # the first one ends before the first activity, where the window begins
    assert without(trace, "profiler") == pytest.approx((4 * 5 + 0.8 - 4 * 4) * MS / 5, rel=0.01)


def test_what_strikes_outside_of_the_replayed_steps_is_not_predicted():
    trace = Synthetic()
    for step in range(40):
        start = step * 2 * MS + (5 * MS if step > 0 else 0)
        trace.nvtx("step", start, start + 2 * MS)
        for activity in range(300):
            at = start + activity * 6 * US
            trace.kernel(at, at + 5 * US, (start // 8 + activity * US, start // 8 + activity * US + 500))
    with trace.analysed() as analysed:
        assert analysed.rows("SELECT steps FROM replay_window")[0]["steps"] < 40
        assert "host_compute" not in predicted(analysed).step_ns


def test_the_replayed_steps_take_as_long_as_the_mean_step():
    """Ten in the middle are four times as long; the nearest to the middle with as many of them as the mean begin at step 8."""
    trace, start = Synthetic(), 0
    for step in range(40):
        length = (4 if 20 <= step < 30 else 1) * MS
        trace.nvtx("step", start, start + length)
        for activity in range(300):
            at = start + activity * 3 * US
            trace.kernel(at + US, at + 2 * US, (at, at + 500))
        start += length
    with trace.analysed() as analysed:
        (window,) = analysed.rows("SELECT start_ns, (end_ns - start_ns) / steps AS step_ns FROM replay_window")
    assert window["step_ns"] == pytest.approx(1.75 * MS, rel=0.06)
    assert window["start_ns"] < 9 * MS


def waits_while_another_takes_a_turn(trace, start):
    """The CPU waits for the GPU until the step ends; another program has GPU 0 from 3 to 7 ms."""
    trace.call("cudaDeviceSynchronize_v3020", start + 40 * US, start + 9950 * US)
    trace.gpu_turn(start, start + 3 * MS)
    trace.gpu_turn(start + 3200 * US, start + 6900 * US, context=7, pid=7)
    trace.gpu_turn(start + 7 * MS, start + 10 * MS)


def test_a_gpu_that_is_never_taken_away_ends_each_kernel_sooner():
    trace, starts = steps(10 * MS)
    for start in starts:
        trace.kernel(start + 100 * US, start + 9900 * US, (start, start + 10 * US))
        waits_while_another_takes_a_turn(trace, start)
    assert without(trace, "gpu_contention") == pytest.approx(6 * MS, rel=0.03)


def test_a_gpu_that_is_never_taken_away_starts_queued_kernels_sooner():
    trace, starts = steps(10 * MS)
    for start in starts:
        trace.kernel(start + 100 * US, start + 3 * MS, (start, start + 10 * US))
        trace.kernel(start + 7 * MS, start + 9900 * US, (start + 20 * US, start + 30 * US))
        waits_while_another_takes_a_turn(trace, start)
    assert without(trace, "gpu_contention") == pytest.approx(6 * MS, rel=0.03)


def test_only_the_gpu_that_was_taken_away_is_given_back():
    trace, starts = steps(10 * MS)
    for start in starts:
        for gpu, stream in ((0, 7), (1, 8)):
            trace.kernel(
                start + 100 * US,
                start + 9900 * US,
                (start + gpu * 10 * US, start + gpu * 10 * US + 5 * US),
                gpu=gpu,
                stream=stream,
            )
        waits_while_another_takes_a_turn(trace, start)
    assert without(trace, "gpu_contention") == pytest.approx(10 * MS, rel=0.03)


def test_what_was_taken_away_goes_before_what_is_faster():
    trace, starts = steps(10 * MS)
    for start in starts:
        trace.kernel(start + 100 * US, start + 9900 * US, (start, start + 10 * US))
        waits_while_another_takes_a_turn(trace, start)
    with trace.analysed() as analysed:
        timeline = Timeline.of(analysed)
        change = changes(analysed, timeline)["gpu_contention"]
        twice = Change(activity_factors={activity.activity_id: 0.5 for activity in timeline.activities})
        replay = Replay(timeline)
        assert replay.length_ns(change | twice) / timeline.window.steps == pytest.approx(3.1 * MS, rel=0.05)


def test_a_copy_that_comes_late_does_not_slow_the_kernels_that_stay():
    """Each step reads a value back: the copy starts 6 us after the kernel, and kernels follow each other after 1 us."""
    length = 40 * US
    trace, starts = steps(length)
    for start in starts:
        trace.kernel(start + 6 * US, start + 14 * US, (start, start + 5 * US))
        trace.copy(start + 20 * US, start + 21 * US, (start + 5 * US, start + 30 * US), "Device-to-Host", "Pageable", size=4)
    assert without(trace, "host_sync") < 17 * US


def saved_ms(trace):
    """By cause, what a replay of all steps saves of one without it, in ms."""
    with trace.analysed() as analysed:
        timeline = Timeline.of(analysed)
        replay, change_of = Replay(timeline), changes(analysed, timeline)
        return {
            cause: (replay.unchanged_ns - replay.length_ns(change)) / timeline.window.steps / MS
            for cause, change in change_of.items()
        }


@pytest.mark.parametrize(("call", "saved_by_graph_ms"), [("cudaMemcpyAsync_v3020", 1), ("cudaMemcpy_v3020", 0)])
def test_a_copy_of_pinned_memory_blocks_unless_its_call_is_asynchronous(call, saved_by_graph_ms):
    """The call takes as long as the copy, and the CPU works for 1 ms after it."""
    trace, starts = steps(5 * MS)
    for number, start in enumerate(starts):
        trace.kernel(start + 10 * US, start + 2 * MS, (start, start + 5 * US))
        trace.copy(start + 2010 * US, start + 4 * MS, None, "Device-to-Host", size=80_000_000, correlation=1000 + number)
        trace.call(call, start + 10 * US, start + 4010 * US, correlation=1000 + number)
    assert saved_ms(trace)["launch_bound"] == pytest.approx(saved_by_graph_ms, abs=0.1)


def test_copies_on_two_streams_share_the_link():
    """They take turns at 50 GB/s. Where the window ends, it cuts the last of them to a twentieth."""
    trace, starts = steps(MS)
    for number, start in enumerate(starts):
        stream = 7 + number % 2
        trace.kernel(start + 10 * US, start + 60 * US, (start, start + 5 * US), stream=stream)
        copy = (start + 950 * US, start + 1940 * US)
        trace.copy(*copy, (start + 5 * US, start + 15 * US), "Device-to-Host", size=49_500_000, stream=stream)
    assert max(saved_ms(trace).values()) < 0.2


def test_results_are_waited_for_however_fast_they_are_copied():
    """Of 8 ms, the code takes 4, the kernel 3, and the pageable copy of its results 1. The CPU waits for both."""
    trace, starts = steps(8 * MS)
    for start in starts:
        trace.kernel(start + 4010 * US, start + 7 * MS, (start + 4 * MS, start + 4005 * US))
        copy = (start + 4020 * US, start + 7990 * US)
        trace.copy(start + 7 * MS, start + 7980 * US, copy, direction="Device-to-Host", host="Pageable", size=1 << 24)
    saved = saved_ms(trace)
    assert saved["copy"] == pytest.approx(1, abs=0.1)
    assert saved["host_sync"] > 3


@pytest.mark.parametrize(("waiting_steps", "expected_ms"), [(STEPS, 0), (1, 1)])
def test_workers_that_cannot_keep_up_do_not_become_faster_with_the_rest(waiting_steps, expected_ms):
    """A step waits 1 ms for the GPU. Each step, or one of six, then waits 4 ms for a batch."""
    trace, starts = steps(8 * MS)
    trace.thread(9, pid=2, name="pt_data_worker", process="pt_data_worker")
    trace.thread(8, name="pt_data_pin")
    for start in starts:
        trace.kernel(start + 20 * US, start + MS, (start, start + 5 * US))
        trace.call("cudaDeviceSynchronize_v3020", start + 10 * US, start + MS)
    for start in starts[:waiting_steps]:
        trace.os("sem_clockwait", start + 3 * MS, start + 7 * MS)
    saved = saved_ms(trace)
    assert saved["host_sync"] == pytest.approx(expected_ms, abs=0.1)
    assert saved["input_pipeline"] == pytest.approx(4 * waiting_steps / STEPS, abs=0.1)
