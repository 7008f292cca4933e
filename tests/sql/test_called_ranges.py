"""The name of an NVTX range counts unless what is done there refutes it."""

import pytest
from synthetic import MS, US, Synthetic, thread
from variations import one_of_each

from gapfinder.diagnosis.diagnose import diagnose


def saved(trace, start):
    trace.os("write", start + 3 * MS, start + 4 * MS)


def copied_back(trace, start):
    trace.copy(start + 7 * MS, start + 8 * MS, (start + 6 * MS, start + 6010 * US), direction="Device-to-Host")


def slept(trace, start):
    trace.os("usleep", start + 3 * MS, start + 3100 * US)


def compiled(trace, start):
    """Its code is loaded later, in the same gap."""
    trace.call("cuModuleLoadData", start + 9920 * US, start + 9950 * US)


def nothing(trace, start):
    pass


def launched(trace, start, length_ns=2 * MS):
    """Half of the step's compute, unless it is shorter."""
    trace.kernel(start + 7 * MS, start + 7 * MS + length_ns, (start + 6 * MS, start + 6010 * US))


def launched_little(trace, start):
    """As a loader that works on the GPU does."""
    launched(trace, start, 100 * US)


@pytest.mark.parametrize(
    ("name", "done", "verdict", "is_told"),
    one_of_each(
        lambda *case: case[2:],
        [
            ("checkpoint", saved, "storage_io", False),
            ("checkpoint", copied_back, "storage_io", False),
            ("checkpoint", slept, "host_compute", True),
            ("_checkpoint_wrapped_module", launched, "host_compute", True),
            ("compile_kernel", compiled, "module_loading", False),
            ("compile_kernel", slept, "host_compute", True),
            ("load_dataset", nothing, "input_pipeline", False),
            ("load_dataset", launched_little, "input_pipeline", False),
            ("train on dataset", launched, "host_compute", True),
            ("prefetch", nothing, "input_pipeline", False),
            ("prefetch_batch", nothing, "input_pipeline", False),
            ("prefetch_layer_6", nothing, "host_compute", False),
        ],
    ),
)
def test_a_name_counts_unless_what_is_done_there_refutes_it(name, done, verdict, is_told):
    trace = Synthetic()
    for start in range(0, 60 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        trace.kernel(start + 20 * US, start + 2 * MS, (start, start + 10 * US))
        trace.nvtx(name, start + 100 * US, start + 9900 * US)
        trace.os("usleep", start + 50 * US, start + 60 * US)
        done(trace, start)
    with trace.analysed() as analysed:
        assert analysed.tuples("SELECT cause FROM cause_totals ORDER BY lost_ns DESC LIMIT 1") == [(verdict,)]
        assert analysed.tuples("SELECT name FROM refuted_names") == [(name,)] * is_told


def test_a_name_over_several_steps_is_the_name_of_work():
    """One range over two of six steps, whose launching thread runs code for most of the time."""
    trace = Synthetic()
    for start in range(0, 60 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        trace.kernel(start + 20 * US, start + 2 * MS, (start, start + 10 * US))
    trace.nvtx("dataset 2", 19 * MS, 41 * MS)
    with trace.analysed() as analysed:
        found = diagnose(analysed)
    assert [cause.cause for cause in found.causes if cause.share > 0.1] == ["host_compute"]
    assert any('"dataset 2"' in note for note in found.notes)


def test_what_a_compiler_runs_to_choose_its_code_is_not_its_work():
    """One of twelve steps compiles for 60 ms, and runs what it compiled for as long as a step computes."""
    trace, start = Synthetic(), 0
    for number in range(12):
        compiles = number == 6
        trace.nvtx("step", start, start + (70 if compiles else 10) * MS)
        trace.kernel(start + 20 * US, start + MS, (start, start + 10 * US))
        if compiles:
            trace.nvtx("XlaCompile:#module=jit_f#", start + 2 * MS, start + 69 * MS)
            trace.kernel(start + 30 * MS, start + 31 * MS, (start + 30 * MS - 10 * US, start + 30 * MS - 5 * US))
            trace.call("cuModuleLoadData", start + 28 * MS, start + 29 * MS)
        trace.os("usleep", start + 50 * US, start + 60 * US)
        start += (70 if compiles else 10) * MS
    with trace.analysed() as analysed:
        lost = {row["cause"]: row["lost_ns"] for row in analysed.rows("SELECT * FROM cause_totals")}
    assert lost["module_loading"] == pytest.approx(66 * MS, rel=0.05)


@pytest.mark.parametrize("spans", [False, True])
def test_a_compilers_range_counts_unless_whole_steps_lie_in_it(spans):
    """Three of the steps compute hardly anything while XLA compiles, or while a range of that name lies around them."""
    trace, compiled = Synthetic(), "XlaCompile:#module=jit_f#"
    for start in range(0, 80 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS - US)
        trace.kernel(start + 20 * US, start + 200 * US, (start, start + 10 * US))
        if not spans and 30 * MS <= start < 60 * MS:
            trace.nvtx(compiled, start + MS, start + 9 * MS)
    if spans:
        trace.nvtx(compiled, 30 * MS - US, 60 * MS)
    with trace.analysed() as analysed:
        lost = {row["cause"]: row["lost_ns"] for row in analysed.rows("SELECT * FROM cause_totals")}
    assert lost.get("module_loading", 0) == pytest.approx(0 if spans else 24 * MS, rel=0.05)


@pytest.mark.parametrize(("name", "cause"), [("XlaCompileGpuAsm:#module=dot.83#", "module_loading"), ("dot", "unexplained")])
def test_a_compilers_range_counts_on_any_thread_that_launches(name, cause):
    """Beside the main thread, whose range is the step, a worker waits for a program that compiles, and runs what that made."""
    trace, worker = Synthetic(), thread(2)
    for start in range(0, 80 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS - US)
        trace.kernel(start + 20 * US, start + 200 * US, (start, start + 10 * US))
        trace.nvtx(name, start + 150 * US, start + 9 * MS, thread=worker)
        trace.os("poll", start + 160 * US, start + 9 * MS - 10 * US, thread=worker)
        trace.kernel(start + 9 * MS, start + 10 * MS - 5 * US, (start + 9 * MS - 10 * US, start + 9 * MS - 5 * US), thread=worker)
    with trace.analysed() as analysed:
        lost = {row["cause"]: row["lost_ns"] for row in analysed.rows("SELECT * FROM cause_totals")}
    assert lost[cause] == pytest.approx(70 * MS, rel=0.02)


def test_a_name_that_only_begins_as_a_compilers_is_the_users():
    trace = Synthetic()
    for start in range(0, 80 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS - US)
        trace.kernel(start + 20 * US, start + 200 * US, (start, start + 10 * US))
        trace.nvtx("XlaPassport control", start + MS, start + 9 * MS)
    with trace.analysed() as analysed:
        assert analysed.tuples("SELECT cause FROM cause_totals ORDER BY lost_ns DESC LIMIT 1") == [("host_compute",)]
