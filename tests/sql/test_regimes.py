"""What a program does when: the recording in stretches of one kind, each with its ledger."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import MS, US, Synthetic
from traces import FIXTURES, opened
from variations import ANALYSES, some

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.regimes import is_varied, regimes_of
from gapfinder.diagnosis.window import window_of
from gapfinder.errors import UsageError
from gapfinder.options import Options, Window
from gapfinder.replay.timeline import Timeline

STEP, KERNELS = 10 * MS, 40
# compute time told from the activities alone, without segments
COMPUTED = """
    SELECT
        b.gpu,
        b.busy_until_ns - t.start_ns
        - coalesce((SELECT sum(idle_until_ns - idle_since_ns) FROM idle_intervals AS i WHERE i.gpu = b.gpu), 0)
        - coalesce((SELECT sum(end_ns - start_ns) FROM exposed_time AS e WHERE e.gpu = b.gpu), 0)
    FROM gpu_busy AS b, analysed_time AS t
"""


def step(trace, start, length=STEP):
    """A training step of short kernels, the last of which is the optimizer's."""
    for number in range(KERNELS):
        at = start + number * length // KERNELS
        name = "multi_tensor_apply_kernel" if number == KERNELS - 1 else f"gemm_{number % 7}"
        trace.kernel(at + 10 * US, at + 60 * US, (at, at + 5 * US), name=name)
    return start + length


def validation(trace, start, batches=3):
    for _ in range(batches):
        for number in range(KERNELS // 2):
            at = start + number * STEP // KERNELS
            trace.kernel(at + 10 * US, at + 60 * US, (at, at + 5 * US), name=f"gemm_{number % 7}")
        start += STEP
    return start


def steps_and_copies_back(trace, start):
    """Ten steps, and then 20 ms of copies to the host, as a checkpoint makes them."""
    for _ in range(10):
        start = step(trace, start)
    for at in range(start, start + 20 * MS, 100 * US):
        trace.copy(at, at + 50 * US, None, "Device-to-Host", "Pageable")
    return start + 20 * MS


def training(epochs, steps, wait=40 * MS):
    """Epochs of steps, each with a validation; then nothing runs until the next epoch's first batch is there."""
    trace, at = Synthetic(), 0
    for _ in range(epochs):
        for _ in range(steps):
            at = step(trace, at)
        at = validation(trace, at) + wait
    return trace


def test_a_training_with_validations_is_told_by_its_regimes():
    with training(epochs=4, steps=10).analysed() as analysis:
        found = {regime.kind: regime for regime in regimes_of(analysis)}
    assert found["steps"].steps == 39  # where the first one begins, no step before it tells
    assert (found["validation"].times, found["validation"].every_steps) == (4, 10)
    assert (found["epoch start"].times, found["epoch start"].every_steps) == (3, 10)
    assert found["epoch start"].compute_share == 0
    assert found["steps"].length_ns == pytest.approx(39 * STEP, rel=0.02)
    assert found["epoch start"].length_ns == pytest.approx(3 * 45 * MS, rel=0.1)  # the last batch has a pause at its end


def test_what_comes_irregularly_comes_after_no_usual_number_of_steps():
    """Three validations after two steps each, and one after thirty."""
    trace, at = Synthetic(), 0
    for steps in (10, 2, 2, 2, 30, 10):
        for _ in range(steps):
            at = step(trace, at)
        at = validation(trace, at)
    with trace.analysed() as analysis:
        (found,) = (regime for regime in regimes_of(analysis) if regime.kind == "validation")
    assert found.times >= 5
    assert found.every_steps is None


def test_a_validation_is_replayed_from_its_start():
    """The wait for its first batch is a part of it, and what a change saves is a share of all of it."""
    trace, at = Synthetic(), 0
    for _ in range(4):
        for _ in range(10):
            at = step(trace, at)
        at = validation(trace, at + 100 * MS)
    with trace.analysed(Options(window=Window.parse("validation"))) as analysis:
        timeline = Timeline.of(analysis)
    assert timeline.measured_ns == timeline.window.end_ns - timeline.window.start_ns
    assert timeline.measured_ns == pytest.approx(100 * MS + 3 * STEP, rel=0.1)


def test_a_checkpoint_after_a_validation_is_told_apart():
    """As a trainer evaluates and saves after the same step."""
    trace, at = Synthetic(), 0
    for _ in range(4):
        for _ in range(10):
            at = step(trace, at)
        saved = validation(trace, at)
        for number in range(30):
            copy = saved + number * MS
            trace.copy(copy + 10 * US, copy + 900 * US, (copy, copy + 5 * US), direction="Device-to-Host")
        at = saved + 30 * MS
    with trace.analysed() as analysis:
        found = {regime.kind: regime for regime in regimes_of(analysis)}
    assert {kind: found[kind].times for kind in ("validation", "checkpoint")} == {"validation": 4, "checkpoint": 4}
    assert found["checkpoint"].every_steps == 10
    assert found["checkpoint"].length_ns == pytest.approx(4 * 35 * MS, rel=0.1)  # the last batch has a pause at its end


def test_a_checkpoint_ends_when_its_files_are_written():
    """The same wait for the first batch of an epoch, without the file, is the start of an epoch."""
    for is_written in (True, False):
        trace, at = Synthetic(), 0
        for _ in range(4):
            at = steps_and_copies_back(trace, at)
            if is_written:
                trace.os("fopen", at + 2 * MS, at + 3 * MS)
                trace.os("fwrite", at + 3 * MS, at + 38 * MS)
            at += 40 * MS
        with trace.analysed() as analysis:
            found = {regime.kind: regime for regime in regimes_of(analysis)}
        assert ("epoch start" in found) != is_written
        assert found["checkpoint"].length_ns == pytest.approx((3 * 40 if is_written else 0) * MS + 4 * 20 * MS, rel=0.1)


@pytest.mark.parametrize(
    ("frames", "kind"), [(["remove_checkpoint", "on_train_batch_end"], None), (["next_batch"], "epoch start")]
)
def test_a_wait_in_which_checkpoints_are_removed_is_a_part_of_one(frames, kind):
    """Deleting a file is no call that is recorded: samples tell."""
    trace, at = Synthetic(), 0
    for _ in range(4):
        at = steps_and_copies_back(trace, at)
        trace.os("fopen", at - 3 * MS, at - 3 * MS + 10 * US)
        trace.os("fwrite", at - 2 * MS, at - MS)
        for sampled in range(at, at + 40 * MS, MS):
            trace.sample(sampled, *[("/home/me/train.py", frame, 30) for frame in frames])
        at += 40 * MS
    with trace.analysed() as analysis:
        found = {regime.kind for regime in regimes_of(analysis)}
    assert found - {"start-up", "steps", "end", "checkpoint"} == ({kind} if kind else set())


def test_a_program_that_hardly_writes_files_makes_no_checkpoint():
    """Models that take turns on the GPU are copied to the host every ten steps, and back: a part of the loop."""
    trace, at = Synthetic(), 0
    for _ in range(4):
        at = steps_and_copies_back(trace, at)
    trace.os("fopen", 0, 10 * US)
    trace.os("fwrite", 20 * US, 21 * US)  # to a log
    with trace.analysed() as analysis:
        assert "checkpoint" not in {regime.kind for regime in regimes_of(analysis)}


def test_validations_may_be_most_of_what_a_training_does():
    """As llm.c, which generates text each 20 steps: 64 forward passes."""
    trace, at = Synthetic(), 0
    for _ in range(3):
        for _ in range(12):
            at = step(trace, at)
        at = validation(trace, at, batches=60)
    with trace.analysed() as analysis:
        found = {regime.kind: regime for regime in regimes_of(analysis)}
    assert (found["steps"].steps, found["validation"].times) == (35, 3)


def test_kernels_of_an_optimizer_in_each_layer_end_no_step():
    """As FSDP copies the parameters of a layer with them, before the update launches five."""
    trace, at = Synthetic(), 0
    for _ in range(12):
        for layer in range(10):
            for number in range(20):
                name = "multi_tensor_apply_kernel" if number == 0 else f"gemm_{(number + layer) % 7}"
                trace.kernel(at + 10 * US, at + 60 * US, (at, at + 5 * US), name=name)
                at += 100 * US
        for number in range(10):
            name = "multi_tensor_apply_kernel" if number % 2 else "add"
            trace.kernel(at + 10 * US, at + 60 * US, (at, at + 5 * US), name=name)
            at += 100 * US
    with trace.analysed() as analysis:
        lengths = [row["ns"] for row in analysis.id_rows("SELECT end_ns - start_ns AS ns FROM steps")]
    assert lengths == [21 * MS] * 10 + [
        21 * MS - 150 * US
    ]  # nothing tells where the first begins, and the last ends with its work


def test_steps_that_are_done_in_two_ways_are_no_validation():
    """The first nine run half as many kernels more, and only two of them take longer."""
    trace, at = Synthetic(), 0
    for number in range(60):
        at = step(trace, at)
        if number < 9:
            for extra in range(KERNELS // 2):
                start = at + extra * 10 * US
                trace.kernel(start + 10 * US, start + 15 * US, (start, start + 5 * US), name=f"gemm_{extra % 7}")
            at += 3 * MS if number in {4, 6} else 300 * US
    with trace.analysed() as analysis:
        assert {regime.kind for regime in regimes_of(analysis)} <= {"start-up", "steps", "end"}


def test_pages_that_migrate_in_some_steps_are_no_validation():
    """Such a step takes longer, and runs as many kernels as the others."""
    trace, at = Synthetic(), 0
    for number in range(40):
        pages = 60 if number % 10 == 9 else 0
        for start in range(at + 70 * US, at + 70 * US + pages * 100 * US, 100 * US):
            trace.migration(start, start + 50 * US, "Unified Device-to-Host")
        at = step(trace, at, STEP + pages * 100 * US)
    with trace.analysed() as analysis:
        assert "validation" not in {regime.kind for regime in regimes_of(analysis)}


def test_a_training_of_steps_alone_is_one_regime():
    with training(epochs=1, steps=20, wait=0).analysed() as analysis:
        assert {regime.kind for regime in regimes_of(analysis)} <= {"start-up", "steps", "validation", "end"}
    trace = Synthetic()
    at = 0
    for _ in range(20):
        at = step(trace, at)
    with trace.analysed() as analysis:
        assert {regime.kind for regime in regimes_of(analysis)} <= {"start-up", "steps", "end"}


@pytest.mark.parametrize(
    ("long", "call", "excluded"),
    [
        ((7,), "cuModuleLoadData", 7),
        ((7, 22), "cuModuleLoadData", 0),
        ((14,), "cuModuleLoadData", 0),
        ((7,), "cuCtxGetCurrent", 0),
    ],
)
def test_what_is_compiled_in_a_later_step_is_warm_up(long, call, excluded):
    """Unless that comes again, or comes late."""
    trace, at = Synthetic(), 0
    for number in range(40):
        at = step(trace, at)
        if number in long:
            trace.call(call, at + 190 * MS, at + 191 * MS)
            at += 200 * MS
    with trace.analysed() as analysis:
        assert window_of(analysis).excluded_steps == excluded


def test_the_headline_speaks_of_the_regime_that_loses_most():
    """Steps lose 50 us in each 250 us, and each epoch waits."""
    with training(epochs=3, steps=10, wait=0).analysed() as analysis:
        assert window_of(analysis).regime == "steps"
    with training(epochs=3, steps=10, wait=500 * MS).analysed() as analysis:
        diagnosis = diagnose(analysis)
    assert (diagnosis.window.regime, diagnosis.window.steps) == ("epoch start", 2)
    assert diagnosis.window.step_ns == pytest.approx(505 * MS, rel=0.02)
    assert diagnosis.window.length_ns < diagnosis.window.end_ns - diagnosis.window.start_ns
    assert "505 ms epoch start" in diagnosis.headline


@pytest.mark.parametrize(
    "name", some(1, ["item_broken", "compile_full", "checkpoint_broken", "rank_imbalance_faulty", "no_gpu_steps"])
)
def test_regimes_are_all_of_the_recording_and_the_window_is_one_of_them(name):
    if name == "no_gpu_steps":
        with training(epochs=3, steps=8).analysed() as analysis:
            check(analysis)
    else:
        check(opened(FIXTURES / f"{name}.sqlite"))


@ANALYSES
@given(epochs=st.integers(1, 4), steps=st.integers(2, 12), wait=st.integers(0, 60 * MS))
def test_ledgers_of_regimes_add_up(epochs, steps, wait):
    with training(epochs, steps, wait).analysed() as analysis:
        check(analysis)


@pytest.mark.parametrize("kind", some(1, ["steps", "validation", "epoch start"]))
def test_each_kind_can_be_asked_for(kind):
    with training(epochs=3, steps=10, wait=500 * MS).analysed(Options(window=Window.parse(kind))) as analysis:
        assert window_of(analysis).regime == kind
        check(analysis)


def test_a_kind_that_is_not_there_is_refused():
    trace, options = training(epochs=3, steps=10), Options(window=Window.parse("checkpoint"))
    with pytest.raises(UsageError, match="the trace has no checkpoint: what was recorded is "), trace.analysed(options):
        pass


def test_a_window_that_was_asked_for_is_one_regime():
    with training(epochs=3, steps=8).analysed(Options(window=Window(from_ns=20 * MS, to_ns=200 * MS))) as analysis:
        [regime] = regimes_of(analysis)
        assert regime.kind == "asked"
        check(analysis)


def test_what_every_step_runs_outside_of_its_range_is_no_validation():
    """One of the steps takes a tenth longer, and each step's range holds half of its kernels."""
    trace = Synthetic()
    starts = [number * STEP + (number > 5) * 2 * MS for number in range(12)]
    for number, start in enumerate(starts):
        step(trace, start, length=STEP + (number == 5) * 2 * MS)
        trace.nvtx("forward", start, start + STEP // 2)
    with trace.analysed(Options(step="forward")) as analysis:
        assert {regime.kind for regime in regimes_of(analysis)} <= {"steps", "end"}


def check(analysis):
    rows = analysis.tuples("SELECT start_ns, end_ns, kind FROM regimes ORDER BY start_ns")
    [(first_ns, last_ns)] = analysis.tuples("SELECT start_ns, end_ns FROM analysed_time")
    assert (rows[0][0], rows[-1][1]) == (first_ns, last_ns)
    assert [start for start, _, _ in rows[1:]] == [end for _, end, _ in rows[:-1]]
    assert all(kind != following for (*_, kind), (*_, following) in pairwise(rows))
    computed = dict(analysis.tuples(COMPUTED))
    diagnosis = diagnose(analysis)
    by_gpu = {}
    for regime in diagnosis.regimes:
        for device in regime.devices:
            by_gpu.setdefault(device.gpu, []).append(device)
            assert device.compute_ns >= 0
            assert device.compute_ns + sum(device.causes.values()) == device.window_ns
    for gpu, parts in by_gpu.items():
        assert sum(part.window_ns for part in parts) == last_ns - first_ns
        assert sum(part.compute_ns for part in parts) == computed[gpu]
    told = {
        device.gpu: device for regime in diagnosis.regimes if regime.kind == diagnosis.window.regime for device in regime.devices
    }
    for device in diagnosis.devices:
        same = told[device.gpu]
        assert (device.window_ns, device.compute_ns, device.causes) == (same.window_ns, same.compute_ns, same.causes)


@pytest.mark.parametrize(("copied_ms", "told"), [(20, False), (100, True)])
def test_an_end_that_takes_a_third_of_the_recording_is_told(copied_ms, told):
    """The results of a hundred launches are copied back once."""
    trace = Synthetic()
    for number in range(100):
        trace.kernel(number * MS, number * MS + 900 * US, (number * US, number * US + 500))
    trace.copy(100 * MS, (100 + copied_ms) * MS, (100 * US, 200 * MS), "Device-to-Host", "Pageable")
    with trace.analysed() as analysis:
        regimes = regimes_of(analysis)
    assert {regime.kind for regime in regimes} == {"steps", "end"}
    assert is_varied(regimes) == told


@pytest.mark.parametrize(
    ("start_up_ms", "named", "told"), [(100, False, False), (1000, False, True), (1000, True, False)], ids=str
)
def test_few_steps_after_a_long_start_up_may_be_layers(start_up_ms, named, told):
    """Unless the user names them. The first kernel runs long before the others."""
    trace = Synthetic()
    trace.kernel(10 * US, 60 * US, (0, 5 * US), name="first")
    at = start_up_ms * MS
    for _ in range(10):
        if named:
            trace.nvtx("step", at, at + STEP - US)
        at = step(trace, at)
    with trace.analysed() as analysis:
        diagnosis = diagnose(analysis)
    assert ("Of all that was recorded, 9" in diagnosis.headline) == told
    assert any("comes before the steps, which may be parts" in note for note in diagnosis.notes) == told


def test_a_few_activities_after_the_last_step_are_its_end():
    """A solver copies its solution after the last iteration, which is no validation, however short an iteration is."""
    trace, at = Synthetic(), 0
    for _ in range(200):
        trace.memset(at + 5 * US, at + 6 * US, (at, at + US))
        trace.kernel(at + 7 * US, at + 15 * US, (at + 2 * US, at + 4 * US), name="jacobi")
        trace.copy(at + 16 * US, at + 17 * US, (at + 4 * US, at + 20 * US), "Device-to-Host", "Pageable", size=8)
        at += 25 * US
    for number in range(8):
        start = at + number * 20 * US
        trace.kernel(start + 7 * US, start + 15 * US, (start, start + 4 * US), name="residual")
    with trace.analysed() as analysis:
        kinds = [kind for (kind,) in analysis.tuples("SELECT kind FROM regimes ORDER BY start_ns")]
    assert kinds[-2:] == ["steps", "end"]
    assert "validation" not in kinds


def test_the_last_step_and_a_result_that_is_read_later_are_no_validation():
    """No marker ends the last step of a launch sequence, which a synchronization cuts short."""
    trace = Synthetic()
    for number in range(20):
        for part in range(KERNELS if number < 19 else 30):
            at = (number * KERNELS + part) * MS // 4
            trace.kernel(at + 10 * US, at + 60 * US, (at, at + 5 * US), name=f"relax_{part}")
    trace.kernel(300 * MS, 300 * MS + US, (300 * MS - 10 * US, 300 * MS - 5 * US), name="norm")
    with trace.analysed() as analysis:
        assert {regime.kind for regime in regimes_of(analysis)} == {"start-up", "steps", "end"}


def test_what_nccl_does_when_it_ends_is_no_validation():
    """The rest of the last step, and then copies of a communicator that is taken down."""
    trace, at = Synthetic(), 0
    for _ in range(20):
        at = step(trace, at)
    for number in range(KERNELS - 10):
        begin = at + number * STEP // KERNELS
        trace.kernel(begin + 10 * US, begin + 60 * US, (begin, begin + 5 * US), name=f"gemm_{number % 7}")
    for begin in range(at + 30 * MS, at + 330 * MS, 5 * MS):
        trace.memset(begin + 10 * US, begin + 15 * US, (begin, begin + 5 * US))
    with trace.analysed() as analysis:
        assert {regime.kind for regime in regimes_of(analysis)} == {"start-up", "steps", "end"}


@pytest.mark.parametrize(("file", "last"), [("fopen", "checkpoint"), (None, "end")])
def test_a_checkpoint_after_the_last_step_writes_a_file(file, last):
    """Lightning moves its model to the CPU when it ends, and saves nothing."""
    trace, at = Synthetic(), 0
    for _ in range(40):
        trace.os("poll", at, at + 10 * US)
        at = step(trace, at)
    for number in range(100):
        copy = at + number * MS
        trace.copy(copy + 10 * US, copy + 900 * US, (copy, copy + 950 * US), "Device-to-Host", "Pageable")
    if file:
        trace.os(file, at + 100 * MS, at + 130 * MS)
        trace.kernel(at + 130 * MS + 5 * US, at + 130 * MS + 10 * US, (at + 130 * MS, at + 130 * MS + US))
    with trace.analysed() as analysis:
        kinds = [kind for (kind,) in analysis.tuples("SELECT kind FROM regimes ORDER BY start_ns")]
    assert kinds[-2:] == ["steps", last]


@pytest.mark.parametrize(("epochs", "steps", "kind"), [(1, 60, "steps"), (1, 20, "validation"), (2, 30, "validation")])
def test_what_comes_once_after_the_steps_is_not_diagnosed(epochs, steps, kind):
    """A short training ends with one validation, in which more is lost than in its steps; a longer one repeats it."""
    trace, at = Synthetic(), 0
    for _ in range(epochs):
        for _ in range(steps):
            for number in range(KERNELS):
                begin = at + number * STEP // KERNELS
                name = "multi_tensor_apply_kernel" if number == KERNELS - 1 else f"gemm_{number % 7}"
                trace.kernel(begin + 10 * US, begin + STEP // KERNELS, (begin, begin + 5 * US), name=name)
            at += STEP
        at = validation(trace, at, batches=30)
    with trace.analysed() as analysis:
        assert analysis.tuples('SELECT regime FROM "window"') == [(kind,)]
