"""The window: the steady-state steps, or what was asked for."""

import pytest
from synthetic import MS, US, Synthetic, thread
from variations import some

from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.notes import notes
from gapfinder.errors import UsageError
from gapfinder.options import Options, Window

STEPS, STEP, WARM_UP = 8, 10 * MS, 100 * MS


def loop(slow_steps=0):
    """A loop that begins with slow steps. Each step's kernel runs from its first to its ninth tenth."""
    trace = Synthetic()
    start = 0
    for length in [WARM_UP] * slow_steps + [STEP] * STEPS:
        trace.nvtx("step", start, start + length - US)
        trace.kernel(start + MS, start + length - MS, (start, start + 5 * US))
        start += length
    return trace


def window(options=None, slow_steps=0, columns="start_ns, end_ns, steps, excluded_steps"):
    with loop(slow_steps).analysed(options) as analysis:
        return analysis.tuples(f'SELECT {columns} FROM "window"')[0]


def test_window_is_all_steps_where_they_are_steady():
    assert window() == (0, STEPS * STEP - US, STEPS, 0)


def test_warm_up_is_left_out_of_the_window():
    assert window(slow_steps=2) == (2 * WARM_UP + MS, 2 * WARM_UP + STEPS * STEP - US, STEPS, 2)


@pytest.mark.parametrize(("slow_steps", "steps"), [(0, STEPS), (2, 1)])
def test_window_all_is_one_piece_where_much_of_it_is_no_usual_step(slow_steps, steps):
    everything = window(Options(window=Window.parse("all")), slow_steps, columns="start_ns, end_ns, steps, source, step_ns < 2e7")
    end = slow_steps * WARM_UP + STEPS * STEP - US
    assert everything == (0, end, steps, "everything", steps > 1)  # from the first step to the last one


def test_the_last_gap_of_a_window_is_that_of_the_thread_that_ends_it():
    """The other thread launches more, and so is the main one."""
    rare, often = thread(tid=2), thread(tid=3)
    trace = Synthetic()
    for start in range(0, STEPS * STEP, STEP):
        trace.kernel(start + MS, start + 4 * MS, (start + 900 * US, start + 910 * US), thread=rare)
        for at in range(start + 4 * MS, start + 6 * MS, MS):
            trace.kernel(at, at + MS, (at - 20 * US, at - 10 * US), thread=often)
    gap = "SELECT gap_id, global_tid, start_ns, late_until_ns FROM gaps WHERE start_ns = 36000000"
    with trace.analysed() as analysis:
        whole = analysis.tuples(gap)
    for end in ("38ms", "40900us", "41ms"):
        with trace.analysed(Options(window=Window.parse(f"20ms..{end}"))) as analysis:
            ((gap_id, at_work, start_ns, late_until_ns),) = analysis.tuples(gap)
            ((end_ns,),) = analysis.tuples("SELECT end_ns FROM analysed_time")
        assert [(gap_id, at_work, start_ns)] == [row[:3] for row in whole]
        assert late_until_ns == min(end_ns, whole[0][3])
        assert at_work == rare


@pytest.mark.parametrize(
    ("text", "bounds"),
    some(
        4,
        [
            ("2..4", (2 * STEP + MS, 5 * STEP + MS, 3, 2)),
            ("3", (3 * STEP + MS, 4 * STEP + MS, 1, 3)),
            ("0", (0, STEP + MS, 1, 0)),
            ("6..", (6 * STEP + MS, STEPS * STEP - US, 2, 6)),
            ("6..99", (6 * STEP + MS, STEPS * STEP - US, 2, 6)),
            ("15ms..0.05s", (15 * MS, 50 * MS, 2, 0)),
            ("15000us..50000000ns", (15 * MS, 50 * MS, 2, 0)),
        ],
    ),
)
def test_window_of_each_form(text, bounds):
    assert window(Options(window=Window.parse(text))) == bounds


@pytest.mark.parametrize("marked", [True, False], ids=["nvtx", "launches"])
def test_a_range_of_times_has_the_ledger_of_the_same_steps(marked):
    """It reads a part of the trace, in which the period of the launches may begin at another kernel: then one step less fits."""
    trace, length = Synthetic(), 100 * MS
    for step in range(50):
        start = step * length
        if marked:
            trace.nvtx("step", start, start + 99 * MS)
        for number, name in enumerate(("read", "gemm", "relu", "loss", "adam")):
            at = start + number * 15 * MS
            trace.kernel(at + MS, at + 11 * MS, (at + 800 * US, at + 810 * US), name=name)
    read = 'SELECT start_ns, end_ns, length_ns, steps FROM "window"'
    ledger = "SELECT gpu, cause, lost_ns FROM ledger ORDER BY ALL"
    inside = 'SELECT s.* FROM steps AS s, "window" AS w WHERE s.start_ns >= w.start_ns AND s.end_ns <= w.end_ns ORDER BY ALL'
    with trace.analysed(Options(window=Window.parse("20..23"))) as by_number:
        start_ns, end_ns, *whole = by_number.tuples(read)[0]
        lost, steps = by_number.tuples(ledger), by_number.tuples(inside)
    with trace.analysed(Options(window=Window.parse(f"{start_ns}ns..{end_ns}ns"))) as by_time:
        assert by_time.tuples("SELECT count(*) FROM activities")[0][0] < 50 * 5
        *bounds, length_ns, count = by_time.tuples(read)[0]
        assert (bounds, length_ns) == ([start_ns, end_ns], whole[0])
        assert by_time.tuples(ledger) == lost
        assert count in ((4,) if marked else (3, 4))
        assert (by_time.tuples(inside) == steps) == marked


def test_steps_that_were_asked_for_may_be_warm_up():
    assert window(Options(window=Window.parse("0..1")), slow_steps=2) == (0, 2 * WARM_UP + MS, 2, 0)


@pytest.mark.parametrize(("text", "is_cut"), [("6..9", True), ("6..8", False), ("6..", False)])
def test_a_window_beyond_the_last_step_is_told(text, is_cut):
    with loop().analysed(Options(window=Window.parse(text))) as analysis:
        told = [note for note in notes(analysis, [], Damage([], None, [], None)) if "--window" in note]
    said = f"The trace has {STEPS} steps, counted from 0: --window {text} is cut at its end, step {STEPS - 1}."
    assert told == ([said] if is_cut else [])


@pytest.mark.parametrize("text", ["", "..", "4..2", "-1", "1..x", "1s", "1s..", "2s..1s", "1s..1s", "1..2s", "1.5..2", "ALL"])
def test_text_that_is_no_window_is_refused(text):
    with pytest.raises(UsageError):
        Window.parse(text)


@pytest.mark.parametrize("text", ["8", "8..9", "5s..6s"])
def test_window_without_work_is_refused(text):
    with pytest.raises(UsageError):
        window(Options(window=Window.parse(text)))


def test_a_gpu_that_does_not_work_in_the_window_has_no_ledger():
    """It works before the steps and after them."""
    trace = Synthetic()
    for step in range(20):
        start = 100 * MS + step * 10 * MS
        trace.nvtx("step", start, start + 9 * MS)
        trace.kernel(start + MS, start + (4 if step else 9) * MS, (start, start + US))
    for start in (0, 400 * MS):
        trace.kernel(start + MS, start + 2 * MS, (start, start + US), gpu=1)
    with trace.analysed() as analysis:
        assert [gpu for (gpu,) in analysis.tuples("SELECT DISTINCT gpu FROM ledger ORDER BY gpu")] == [0]
        assert [gpu for (gpu,) in analysis.tuples("SELECT gpu FROM devices")] == [0]


def test_pages_that_the_cpu_fetches_when_all_is_done_are_not_in_the_window():
    trace = Synthetic()
    trace.migration(0, MS)
    trace.kernel(10 * MS, 20 * MS, (9 * MS, 9 * MS + 5 * US))
    trace.migration(22 * MS, 23 * MS)
    trace.kernel(30 * MS, 40 * MS, (29 * MS, 29 * MS + 5 * US))
    trace.migration(90 * MS, 91 * MS)
    with trace.analysed() as analysis:
        assert analysis.tuples('SELECT start_ns, end_ns FROM "window"') == [(10 * MS, 40 * MS)]
