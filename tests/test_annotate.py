"""`gapfinder.annotate`: what is marked, what bounds the capture, and that nothing happens where nothing can be marked."""

import subprocess
import sys

import pytest

from gapfinder import annotate
from gapfinder.annotate import CAPTURE, phase, steps


class Heard:
    """Ranges that are written down."""

    def __init__(self):
        self.events = []

    def range_push(self, name):
        self.events.append(f"+{name}")

    def range_pop(self):
        self.events.append("-")

    def range_start(self, name):
        self.events.append(f"start {name}")
        return 7

    def range_end(self, handle):
        self.events.append(f"end {handle}")


@pytest.fixture
def heard(monkeypatch):
    ranges = Heard()
    monkeypatch.setattr(annotate, "_cached", ranges)
    return ranges.events


STEP = ["+step", "+next_batch", "-", "+forward", "-", "-"]
LAST = ["+step", "+next_batch", "-", "-"]  # the turn in which there is no batch any more


def run(batches, *, fails=False, **bounds):
    with steps(batches, **bounds) as marked:
        for _ in marked:
            with phase("forward"):
                1 / (not fails)


def test_steps_phases_and_what_is_captured(heard):
    run(range(4), warmup=1, active=2)
    assert heard == [*STEP, f"start {CAPTURE}", *STEP, *STEP, "end 7", *STEP, *LAST]


def test_loop_that_ends_inside_of_the_capture(heard):
    run(range(2), warmup=1, active=5)
    assert heard == [*STEP, f"start {CAPTURE}", *STEP, *LAST, "end 7"]


def test_what_follows_the_loop_is_in_no_step(heard):
    with steps(range(1)) as batches:
        for _ in batches:
            pass
        with phase("validate"):
            pass
    assert heard[-6:] == [*LAST, "+validate", "-"]


def test_loop_that_is_left(heard):
    with steps(range(9), warmup=0, active=5) as batches:
        for _ in batches:
            break
    assert heard == [f"start {CAPTURE}", "+step", "+next_batch", "-", "-", "end 7"]


def test_steps_are_counted_over_epochs(heard):
    with steps(range(3), warmup=4, active=3) as batches:
        for _ in range(3):
            for _ in batches:
                pass
    assert [heard[: heard.index(mark)].count("-") // 2 for mark in (f"start {CAPTURE}", "end 7")] == [4 + 1, 7 + 2]
    assert heard.count(f"start {CAPTURE}") == heard.count("end 7") == 1


def test_an_epoch_that_is_left(heard):
    with steps(range(9), warmup=0, active=5) as batches:
        for _ in range(2):
            for _ in batches:
                break
    assert heard == [f"start {CAPTURE}", *LAST, *LAST, "end 7"]


def test_step_that_fails(heard):
    with pytest.raises(ZeroDivisionError):
        run(range(9), warmup=0, fails=True)
    assert heard == [f"start {CAPTURE}", *STEP, "end 7"]


def test_environment_says_what_is_captured(heard, monkeypatch):
    monkeypatch.setenv("GAPFINDER_WARMUP", "0")
    monkeypatch.setenv("GAPFINDER_STEPS", "1")
    run(range(2), warmup=5, active=5)
    assert heard == [f"start {CAPTURE}", *STEP, "end 7", *STEP, *LAST]


def test_environment_that_holds_no_number(heard, monkeypatch):
    monkeypatch.setenv("GAPFINDER_STEPS", "twenty")
    with pytest.raises(ValueError, match="GAPFINDER_STEPS is 'twenty': set it to a number of steps, or unset it"):
        steps([1])
    assert heard == []


def test_batches_come_through(heard):
    with steps("abc") as batches:
        assert list(batches) == ["a", "b", "c"]
    assert heard.count("+step") == 4


def test_phase_as_decorator(heard):
    @phase("loss")
    def half(value):
        return value / 2

    assert half(4) == 2
    assert half(2) == 1
    assert heard == ["+loss", "-", "+loss", "-"]


def test_phase_marks_no_function_whose_call_ends_before_its_body():
    async def served():
        pass

    def batches():
        yield

    async def streamed():
        yield

    for function in (served, batches, streamed):
        with pytest.raises(TypeError, match="is async or a generator: write `with phase"):
            phase("loss")(function)


def test_without_torch_and_nvtx():
    hidden = "import sys; sys.modules['nvtx'] = None; from gapfinder.annotate import phase, steps\n"
    loop = "with steps('abc') as batches:\n  for batch in batches:\n    with phase('forward'): print(batch)\n"
    loaded = "print(sorted(name for name in sys.modules if name in {'torch', 'duckdb', 'polars', 'click', 'rich'}))"
    done = subprocess.run([sys.executable, "-c", hidden + loop + loaded], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("a\nb\nc\n[]\n", "")
