"""Which NVTX range is the step, and where steps begin and end on the GPU."""

from random import Random

import pytest
from synthetic import MAIN, MS, US, Synthetic, thread
from variations import some

from gapfinder.options import Options

STEPS, STEP = 6, 10 * MS


@pytest.fixture
def trace():
    return Synthetic()


def marked_by(trace, options=None):
    with trace.analysed(options) as analysis:
        return analysis.tuples('SELECT source, step_name FROM "window"')[0]


def steps(trace, options=None):
    with trace.analysed(options) as analysis:
        return analysis.tuples("SELECT start_ns, end_ns FROM steps ORDER BY step")


def loop(trace, *phases, outer="step"):
    """Steps of two kernels each; a phase is the half of one."""
    for start in range(0, STEPS * STEP, STEP):
        if outer:
            trace.nvtx(outer, start, start + 9 * MS)
        for number, phase in enumerate(phases):
            trace.nvtx(phase, start + number * 4 * MS, start + (number * 4 + 4) * MS)
        for name, at in (("forward", MS), ("backward", 5 * MS)):
            trace.kernel(start + at, start + at + 3 * MS, (start + at - 10 * US, start + at - 5 * US), name=f"{name}_kernel")


def test_the_outermost_range_that_repeats_is_the_step(trace):
    loop(trace, "forward", "backward")
    assert marked_by(trace) == ("nvtx", "step")


def test_a_range_around_the_whole_loop_is_no_step(trace):
    trace.nvtx("epoch", 0, (STEPS + 1) * STEP)
    loop(trace, "forward", "backward")
    assert marked_by(trace) == ("nvtx", "step")


def test_phases_in_a_row_begin_with_the_first(trace):
    loop(trace, "forward", "backward", outer=None)
    assert marked_by(trace) == ("nvtx", "forward")


def test_the_last_step_leaves_out_what_repeats_as_often_after_the_loop(trace):
    """As batches of a validation."""
    loop(trace, outer="train")
    for start in range((STEPS + 2) * STEP, (2 * STEPS + 2) * STEP, STEP):
        trace.nvtx("val", start, start + 9 * MS)
        trace.kernel(start + MS, start + 8 * MS, (start + US, start + 2 * US))
    assert steps(trace)[-1] == ((STEPS - 1) * STEP + MS, (STEPS - 1) * STEP + 9 * MS)


def test_the_last_step_ends_with_its_last_range(trace):
    loop(trace, outer="forward")
    for start in range(0, STEPS * STEP, STEP):
        trace.nvtx("update", start + 9 * MS + US, start + 9 * MS + 3 * US)
        trace.kernel(start + 9 * MS + 10 * US, start + 9 * MS + 20 * US, (start + 9 * MS + US, start + 9 * MS + 2 * US))
    last_ns = (STEPS - 1) * STEP
    assert steps(trace)[-1] == (last_ns + MS, last_ns + 9 * MS + 20 * US)


def test_the_range_that_was_asked_for_is_the_step(trace):
    loop(trace, "forward", "backward")
    assert marked_by(trace, Options(step="backward")) == ("nvtx", "backward")


def test_few_ranges_that_take_long_are_no_steps(trace):
    """As of a function that is called a few times before the loop, and compiles."""
    for number, length in enumerate([400 * MS, MS, MS]):
        start = (number - 5) * 500 * MS
        trace.nvtx("XlaModule:#hlo_module=jit_multiply#", start, start + length)
        trace.kernel(start + length, start + length + 10 * US, (start, start + 5 * US))
    loop(trace, outer="XlaModule:#hlo_module=jit_step#")
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT DISTINCT name FROM step_ranges") == [("XlaModule jit_step",)]


def test_ranges_of_another_thread_are_no_steps(trace):
    for start in range(0, STEPS * STEP, STEP):
        trace.nvtx("watch", start, start + 9 * MS, thread=thread(tid=2))
        trace.nvtx("zero_grad", start, start + MS)
        trace.nvtx("update", start + MS, start + 2 * MS)
    loop(trace)
    assert marked_by(trace) == ("nvtx", "step")


def test_many_ranges_of_a_thread_that_launches_nothing_are_no_steps(trace):
    """A thread that prepares input marks each sample."""
    loop(trace, "forward", "backward")
    for start in range(0, STEPS * STEP, STEP // 8):
        trace.nvtx("load_sample", start, start + MS, thread(2))
    assert marked_by(trace) == ("nvtx", "step")


def test_ranges_of_a_library_are_no_steps(trace):
    trace.domain("NCCL", 3)
    for start in range(0, STEPS * STEP, STEP):
        trace.nvtx("ncclAllReduce", start, start + 9 * MS, domain=3)
    loop(trace, outer=None)
    assert marked_by(trace)[0] == "launch period"


@pytest.mark.parametrize(
    "name", some(1, ["XlaPassPipeline:#name=fusion,module=jit_f#", "XlaCompileBackend:#module=jit_f#", "aten::add"])
)
def test_what_a_compiler_or_an_operator_marks_is_no_step(trace, name):
    loop(trace, outer=name)
    assert marked_by(trace)[0] == "launch period"


@pytest.mark.parametrize(
    ("name", "called"),
    some(
        1,
        [
            ("batch {}", "batch"),
            ("XlaModule:#hlo_module=jit_step,program_id={}#", "XlaModule jit_step"),
            ("step, seq = {}", "step"),
        ],
    ),
)
def test_steps_that_differ_in_a_number_have_one_name_and_their_phases(trace, name, called):
    loop(trace, outer=None)
    for number, start in enumerate(range(0, STEPS * STEP, STEP)):
        trace.nvtx(name.format(number), start, start + 9 * MS)
        trace.nvtx("forward", start + 10, start + 4 * MS)
        trace.nvtx("backward", start + 4 * MS + 10, start + 8 * MS)
    assert marked_by(trace) == ("nvtx", called)
    with trace.analysed() as analysis:
        phases = analysis.tuples("SELECT phase, activities FROM phases WHERE activities > 0 ORDER BY phase")
        lost_in = {path for (path,) in analysis.tuples("SELECT path FROM evidence_ranges")}
    assert phases == [("backward", STEPS), ("forward", STEPS)]
    assert lost_in == {called, f"{called} > forward", f"{called} > backward"}


@pytest.mark.parametrize(
    ("step", "called"),
    [
        ("epoch {0} step {1}", "step"),
        ("Epoch {0}/3, batch {1}/20", "batch"),
        ("train_iter_{1}", "train_iter"),
        ("layer {1}", None),
    ],
)
def test_steps_whose_count_begins_again_with_each_epoch(trace, step, called):
    """Layers do so, too, with each step."""
    for epoch in range(3):
        for number in range(20):
            start = (20 * epoch + number) * STEP
            trace.nvtx(step.format(epoch, number), start, start + 9 * MS)
            trace.kernel(start + MS, start + 4 * MS, (start, start + 5 * US))
    with trace.analysed() as analysis:
        names = {name for (name,) in analysis.tuples("SELECT DISTINCT called FROM called_names")}
    assert names == ({called} if called else {f"layer {number}" for number in range(20)})


def test_micro_batches_are_no_steps(trace):
    for start in range(0, STEPS * STEP, STEP):
        for number in range(4):
            from_ns = start + 2 * number * MS
            trace.nvtx(f"batch {number}", from_ns, from_ns + MS)
            trace.kernel(from_ns + 100 * US, from_ns + 900 * US, (from_ns, from_ns + 5 * US))
    with trace.analysed() as analysis:
        names = {name for (name,) in analysis.tuples("SELECT DISTINCT called FROM called_names")}
    assert names == {f"batch {number}" for number in range(4)}


def test_counters_of_several_processes_are_counters(trace):
    for pid in (1, 2):
        for number, start in enumerate(range(0, STEPS * STEP, STEP)):
            trace.nvtx(f"batch {number}", start, start + 9 * MS, thread=thread(pid=pid))
            launch = (start + MS - 10 * US, start + MS - 5 * US)
            trace.kernel(start + MS, start + 4 * MS, launch, thread=thread(pid=pid), pid=pid)
    assert marked_by(trace) == ("nvtx", "batch")


def test_a_name_that_is_a_number_stays(trace):
    loop(trace)
    for number, start in enumerate(range(0, STEPS * STEP, STEP)):
        trace.nvtx(str(number), start, start + 9 * MS)
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT DISTINCT called FROM called_names WHERE called = ''") == []


def test_without_ranges_the_launch_sequence_repeats(trace):
    loop(trace, outer=None)
    assert [end - start for start, end in steps(trace)] == [STEP] * (STEPS - 1)  # the last one's end is not seen


def test_a_kernel_of_each_layer_is_no_step(trace):
    for start in range(0, STEPS * STEP, STEP):
        for number, name in enumerate(("embed", "layer", "layer", "layer", "loss")):
            at = start + number * MS
            trace.kernel(at, at + MS // 2, (at - 10 * US, at - 5 * US), name=name)
    assert marked_by(trace) in {("launch period", "embed"), ("launch period", "loss")}


@pytest.mark.parametrize(("taking_turns", "length"), [(1, STEP), (4, 4 * STEP)])
def test_a_kernel_for_one_shape_runs_in_place_of_another_and_is_no_step(trace, taking_turns, length):
    """Four inputs take turns. Where they change most of what runs, as four parts of an iteration do, they are one."""
    for number in range(40):
        for part, name in enumerate(("query", "key", "value", "product", "embed", "norm", "mask", "loss")):
            start = number * STEP + part * MS
            shape = f"_{number % 4}" if part < taking_turns else ""
            trace.kernel(start, start + MS // 2, (start - 10 * US, start - 5 * US), name=name + shape)
    assert {end - start for start, end in steps(trace)} == {length}


def test_a_loop_of_few_iterations_is_one(trace):
    """The last quarter of 7 iterations holds one whole, whose kernels that run twice in it have other intervals."""
    names = ("scale", "axpy", "product", "dot", "reduce", "axpy", "axpy", "dot", "reduce")
    for number, name in enumerate(names * 7):
        trace.kernel(number * MS, number * MS + MS // 2, (number * MS - 10 * US, number * MS - 5 * US), name=name)
    assert {end - start for start, end in steps(trace)} == {len(names) * MS}


def test_an_iteration_that_does_more_is_no_start_up(trace):
    """As of a simulation that builds its list of neighbours anew now and then."""
    for number in range(40):
        start = number * STEP
        for at, name in enumerate(["forward", "backward", *(["neighbours"] if number == 12 else [])]):
            trace.kernel(start + at * MS, start + at * MS + MS, name=name)
    assert len(steps(trace)) == 39


def test_what_follows_few_iterations_does_not_hide_them(trace):
    """The last quarter holds the end of the last one, and a look at the result, which runs as much."""
    names = ("scale", "axpy", "product", "dot", "reduce", "sum", "norm", "add")
    for number, name in enumerate((*names * 6, *(f"look_{part}" for part in range(9)))):
        trace.kernel(number * MS, number * MS + MS // 2, (number * MS - 10 * US, number * MS - 5 * US), name=name)
    assert {end - start for start, end in steps(trace)} == {len(names) * MS}


def test_an_iteration_that_is_a_loop_begins_where_all_of_it_does(trace):
    """Three generations of a search are copied back at once, in three copies."""
    for start in range(0, 8 * STEP, STEP):
        for part, name in enumerate((*("there",) * 3, *("breed", "score") * 3, *("back",) * 3)):
            at = start + part * MS // 2
            if name == "there":
                trace.copy(at + 10 * US, at + 100 * US, (at, at + 5 * US), "Host-to-Device")
            elif name == "back":
                trace.copy(at + 10 * US, at + 100 * US, (at, at + 5 * US), "Device-to-Host")
            else:
                trace.kernel(at + 10 * US, at + 400 * US, (at, at + 5 * US), name=name)
    assert marked_by(trace) == ("launch period", "breed")
    assert {end - start for start, end in steps(trace)} == {STEP}


def test_a_loop_of_one_kernel_ends_with_what_it_copies_back(trace):
    """A solver runs its kernel a number of times, and looks at the error."""
    for start in range(0, 8 * STEP, STEP):
        for part in range(8):
            at = start + part * MS
            trace.kernel(at + 10 * US, at + 900 * US, (at, at + 5 * US), name="relax")
        trace.copy(start + 8 * MS, start + 9 * MS, (start + 8 * MS - 10 * US, start + 9 * MS), "Device-to-Host")
    assert marked_by(trace) == ("launch period", "Device-to-Host copy")
    assert {end - start for start, end in steps(trace)} == {STEP}


def test_a_loop_of_one_kernel_begins_with_what_it_copies_there(trace):
    """It pushes the particles that another thread made, and looks at nothing."""
    for start in range(0, 8 * STEP, STEP):
        trace.copy(start, start + MS, (start - 10 * US, start + MS))
        for part in range(1, 8):
            at = start + part * MS
            trace.kernel(at + 10 * US, at + 900 * US, (at, at + 5 * US), name="push")
    assert marked_by(trace) == ("launch period", "Host-to-Device copy")
    assert {end - start for start, end in steps(trace)} == {STEP}


@pytest.mark.parametrize(("times", "streams", "lengths"), [(100, 1, {MS}), (70, 1, set()), (100, 2, set())])
def test_a_loop_that_is_one_launch_has_a_step_for_each(trace, times, streams, lengths):
    """Few launches are no loop, and two streams may run them side by side."""
    trace.copy(0, MS // 2, (0, MS // 2))
    for number in range(1, times):
        trace.kernel(
            number * MS, number * MS + 900 * US, (number * US, number * US + 500), name="relax", stream=7 + number % streams
        )
    trace.copy(times * MS, 2 * times * MS, (times * US, 2 * times * MS), "Device-to-Host")
    assert {end - start for start, end in steps(trace)} == lengths


@pytest.mark.parametrize(
    ("call", "length"),
    some(
        2,
        [
            ("cudaLaunchHostFunc_v10000", STEP),
            ("cudaMalloc_v3020", STEP),
            ("cudaDeviceSynchronize_v3020", 2 * STEP),
        ],
    ),
)
def test_a_loop_of_one_kernel_without_copies_has_a_call_in_each_iteration(trace, call, length):
    """Or in each second one. A call that each launch makes says nothing."""
    for start in range(0, 16 * STEP, STEP):
        for part in range(4):
            at = start + part * MS
            trace.call("cuKernelGetAttribute", at - 3 * US, at - 2 * US)
            trace.kernel(at + 10 * US, at + 900 * US, (at, at + 5 * US), name="relax")
        if start % length == 0:
            trace.call(call, start + 2500 * US, start + 2600 * US)
    assert marked_by(trace) == ("launch period", call)
    assert {end - start for start, end in steps(trace)} == {length}


def test_a_loop_of_two_kernels_has_no_call_for_a_mark(trace):
    for start in range(0, 8 * STEP, STEP):
        for part, name in enumerate(("one", "two") if start % 3 else ("two", "one")):
            trace.kernel(
                start + part * MS, start + part * MS + 900 * US, (start + part * MS - 9 * US, start + part * MS), name=name
            )
        trace.call("cudaDeviceSynchronize_v3020", start + 5 * MS, start + 6 * MS)
    assert marked_by(trace)[1] != "cudaDeviceSynchronize_v3020"


def test_pages_that_migrate_are_no_part_of_the_sequence(trace):
    """Their number differs from iteration to iteration."""
    for number, start in enumerate(range(0, 16 * STEP, STEP)):
        for page in range(5 + 3 * number):
            trace.migration(start + page * 20 * US, start + (page * 20 + 2) * US)
        for at, name in ((MS, "one"), (4 * MS, "two")):
            trace.kernel(start + at, start + at + 2 * MS, (start + at - 10 * US, start + at - 5 * US), name=name)
    assert marked_by(trace)[0] == "launch period"
    assert {end - start for start, end in steps(trace)} == {STEP}


def test_an_iteration_of_several_graphs_is_one_step(trace):
    """Three graphs and a copy back are a step; each fifth one is followed by the graph of a validation."""
    at = 0
    for number in range(40):
        for graph in (1, 2, 3, 4) if number % 5 == 4 else (1, 2, 3):
            trace.graph(at, at + MS, (at - 10 * US, at - 5 * US), graph=graph)
            at += MS
        trace.copy(at, at + 10 * US, (at - 10 * US, at + 20 * US), "Device-to-Host", size=4)
        at += MS
    assert {end - start for start, end in steps(trace)} == {4 * MS, 5 * MS}


@pytest.mark.parametrize(("times", "lengths"), [(40, {20 * MS}), (20, set())])
def test_a_step_that_is_one_graph_follows_thousands_of_other_launches(trace, times, lengths):
    """A compiler runs each of its kernels a few times, and picks one."""
    chance = Random(1)
    for at in range(0, 40 * MS, 10 * US):
        trace.kernel(at, at + 5 * US, (at - 9 * US, at - 8 * US), name=f"tuned_{chance.randrange(9)}")
    for start in range(100 * MS, 100 * MS + times * 20 * MS, 20 * MS):
        trace.graph(start, start + 19 * MS, (start - 10 * US, start - 5 * US))
    assert {end - start for start, end in steps(trace)} - {19 * MS} == lengths


def test_what_never_repeats_has_no_steps(trace):
    trace.kernel(0, MS, name="one")
    trace.kernel(2 * MS, 3 * MS, name="two")
    assert marked_by(trace) == ("everything", None)
    assert steps(trace) == []


def test_steps_follow_each_other_on_the_gpu(trace):
    """The first begins where its range does, the others with their first activity, the last ends with its range."""
    loop(trace)
    starts = [0, *(start + MS for start in range(STEP, STEPS * STEP, STEP))]
    assert steps(trace) == list(zip(starts, [*starts[1:], (STEPS - 1) * STEP + 9 * MS], strict=True))


def test_a_step_belongs_to_the_range_that_launched_its_activities(trace):
    """The GPU lags one step behind the CPU."""
    for start in range(0, STEPS * STEP, STEP):
        trace.nvtx("step", start, start + 9 * MS, thread=MAIN)
        trace.kernel(start + STEP, start + 19 * MS, (start + MS, start + MS + US))
    assert steps(trace)[1] == (2 * STEP, 3 * STEP)


def test_a_range_that_launches_nothing_is_part_of_the_step_before(trace):
    loop(trace)
    trace.nvtx("step", STEPS * STEP, STEPS * STEP + MS)
    trace.nvtx("step", (STEPS + 1) * STEP, (STEPS + 2) * STEP)
    trace.kernel((STEPS + 1) * STEP + MS, (STEPS + 2) * STEP, ((STEPS + 1) * STEP, (STEPS + 1) * STEP + US))
    assert len(steps(trace)) == STEPS + 1


def test_a_last_range_that_launches_nothing_is_part_of_the_step_before(trace):
    loop(trace)
    trace.nvtx("step", STEPS * STEP, STEPS * STEP + MS)
    assert len(steps(trace)) == STEPS
    assert steps(trace)[-1] == ((STEPS - 1) * STEP + MS, STEPS * STEP + MS)


def test_several_last_ranges_that_launch_nothing_are_no_step(trace):
    """The last rows of CUDA are gone, or were not recorded."""
    loop(trace)
    for number in range(3):
        trace.nvtx("step", (STEPS + number) * STEP, (STEPS + number) * STEP + 9 * MS)
    assert steps(trace)[-1][1] == (STEPS - 1) * STEP + 9 * MS


def test_a_single_update_of_many_micro_batches_has_no_steps():
    """What repeats are the micro-batches; the update launches 30 kernels of the optimizer in a row."""
    trace = Synthetic()
    names = [f"gemm_{number}" for number in range(100)]
    kernels = [*names, *names, *names, *names, *["multi_tensor_apply_kernel"] * 30, *names, *names, *names, *names]
    for place, name in enumerate(kernels):
        at = place * 100 * US
        trace.kernel(at + 10 * US, at + 90 * US, (at, at + 5 * US), name=name)
    assert marked_by(trace)[0] == "launch period"
    lengths = {end - start for start, end in steps(trace)}
    assert 100 * 100 * US in lengths


def test_few_long_steps_end_with_their_optimizer():
    """Ten layers in each of two steps repeat more often. Two updates are enough, and the first step counts.

    When the last one ends is unknown: the pause after the update is a part of each step.
    """
    trace = Synthetic()
    step = ["embed", *["gemm", "norm", "gemm", "add"] * 10, "loss", *["multi_tensor_apply_kernel"] * 2]
    for place, name in enumerate(step * 2):
        at = place * 100 * US + place // len(step) * 500 * MS
        trace.kernel(at + 10 * US, at + 90 * US, (at, at + 5 * US), name=name)
    assert [end - start for start, end in steps(trace)] == [500 * MS + len(step) * 100 * US]


def test_averages_at_both_ends_of_a_loop_are_no_steps():
    trace = Synthetic()
    average = ["multi_tensor_apply_kernel"] * 4
    for place, name in enumerate([*average, *["attention", "norm", "gemm"] * 40, *average]):
        at = place * 100 * US
        trace.kernel(at + 10 * US, at + 90 * US, (at, at + 5 * US), name=name)
    assert {end - start for start, end in steps(trace)} >= {300 * US}


def test_an_optimizer_that_updates_one_tensor_at_a_time_ends_the_step():
    """Each kernel runs in each layer, or for each tensor: the first layer marks the step."""
    trace = Synthetic()
    names = ["attention", "gemm"] * 6 + ["elementwise"] * 60
    for start in range(0, 12 * STEP, STEP):
        for place, name in enumerate(names):
            at = start + place * 100 * US
            trace.kernel(at + 10 * US, at + 90 * US, (at, at + 5 * US), name=name)
    assert {end - start for start, end in steps(trace)} == {STEP}


@pytest.mark.parametrize(("seldom", "update_us", "steps_in_one"), [(50, 60, 4), (50, 80, 1), (130, 80, 1)])
def test_updates_of_a_critic_before_each_of_a_generator_are_one_step(seldom, update_us, steps_in_one):
    """Every fourth update is another: of a generator, of the same model after fewer micro-batches, or logged."""
    trace = Synthetic()
    place = 0
    for number in range(32):
        other = number % 4 == 3
        kernels = [f"gemm_{at % 7}" for at in range(seldom if other else 100)]
        for name in [*kernels, *["multi_tensor_apply_kernel"] * 3]:
            at = place * 100 * US
            length = update_us * US if other and name.startswith("multi") else 80 * US
            trace.kernel(at + 10 * US, at + 10 * US + length, (at, at + 5 * US), name=name)
            place += 1
    usual = sorted(end - start for start, end in steps(trace))[len(steps(trace)) // 2]
    assert usual == pytest.approx((103 if steps_in_one == 1 else 3 * 103 + seldom + 3) * 100 * US, rel=0.05)


@pytest.mark.parametrize("epochs", [2, 5])
@pytest.mark.parametrize("name", ["epoch {}", "Train epoch"])
def test_an_epoch_is_no_step(epochs, name):
    trace = Synthetic()
    trace.thread(1)
    for epoch in range(epochs):
        begins = epoch * 300 * MS
        trace.nvtx(name.format(epoch), begins, begins + 300 * MS - 10 * US)
        for start in range(begins, begins + 300 * MS, 10 * MS):
            trace.nvtx("train_step", start + 5 * US, start + 9 * MS)
            trace.kernel(start + 26 * US, start + 5 * MS, (start + 6 * US, start + 16 * US))
    with trace.analysed() as analysis:
        assert analysis.tuples('SELECT step_name, steps FROM "window"') == [("train_step", 30 * epochs)]


def test_an_epoch_is_a_step_where_that_is_asked_for():
    trace = Synthetic()
    trace.thread(1)
    for start in range(0, 300 * MS, 60 * MS):
        trace.nvtx(f"epoch {start}", start, start + 59 * MS)
        for at in range(start, start + 60 * MS, 10 * MS):
            trace.nvtx("train_step", at + 5 * US, at + 9 * MS)
            trace.kernel(at + 26 * US, at + 5 * MS, (at + 6 * US, at + 16 * US))
    with trace.analysed(Options(step="epoch")) as analysis:
        assert analysis.tuples("SELECT count(*) FROM step_ranges") == [(5,)]
