"""Marks the steps and phases of a training loop for Nsight Systems, and bounds what is captured.

For training scripts, which need no NVTX of their own then:

    from gapfinder.annotate import phase, steps

    with steps(loader) as batches:
        for batch in batches:
            with phase("forward"):
                ...

Ranges go through torch where the program has loaded it, else through the `nvtx` package; where neither can, nothing
happens. Nothing else of gapfinder is imported, and without a profiler a range costs about a microsecond.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

Batch = TypeVar("Batch")

STEP = "step"
NEXT_BATCH = "next_batch"
# `gapfinder capture --steps` lets nsys record from the start to the end of the range of this name.
CAPTURE = "gapfinder.capture"
WARMUP_VARIABLE, STEPS_VARIABLE = "GAPFINDER_WARMUP", "GAPFINDER_STEPS"
WARMUP = 10  # steps: allocators, autotuning and lazy loading are over by then in every program that was tried
STEPS = 20  # steps: enough for means, and few enough for a report of a few megabytes


class Ranges(Protocol):
    """What the nvtx module of torch can do, and the `nvtx` package under other names."""

    def range_push(self, name: str) -> object:
        """Begin a range on this thread."""

    def range_pop(self) -> object:
        """End this thread's innermost range."""

    def range_start(self, name: str) -> int:
        """Begin a range of the process; returns what ends it."""

    def range_end(self, handle: int) -> object:
        """End a range of the process."""


class steps(Generic[Batch]):  # noqa: N801  reads as the function that it is used as
    """Yields `batches`, each turn of the loop in a range `step`, the wait for the batch in a range `next_batch`.

    The steps from `warmup` to `warmup + active` are the ones to capture: `gapfinder capture --steps 20` records these
    alone, and may say other numbers through the environment. The GPU is idle when they begin and when they have ended.
    """

    def __init__(self, batches: Iterable[Batch], *, warmup: int = WARMUP, active: int = STEPS) -> None:
        self._batches = batches
        self._first = int(os.environ.get(WARMUP_VARIABLE, warmup))
        self._end = self._first + int(os.environ.get(STEPS_VARIABLE, active))
        self._ranges = _ranges()
        self._capture: int | None = None
        self._in_step = False

    def __enter__(self) -> Self:
        return self

    def __iter__(self) -> Iterator[Batch]:
        batches = iter(self._batches)
        step = 0
        while True:
            if step == self._first:
                self._start_capture()
            self._ranges.range_push(STEP)
            self._in_step = True
            with phase(NEXT_BATCH):
                batch = next(batches, _END)
            if batch is _END:
                break
            yield batch  # type: ignore[misc]  # the sentinel has been seen to
            self._end_step()
            step += 1
            if step == self._end:
                self._stop_capture()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end_step()
        self._stop_capture()

    def _end_step(self) -> None:
        if self._in_step:
            self._ranges.range_pop()
            self._in_step = False

    def _start_capture(self) -> None:
        _wait_for_gpu()
        self._capture = self._ranges.range_start(CAPTURE)

    def _stop_capture(self) -> None:
        if self._capture is not None:
            _wait_for_gpu()
            self._ranges.range_end(self._capture)
            self._capture = None


@contextmanager
def phase(name: str) -> Iterator[None]:
    """A part of the step, such as "forward", as a range of that name on this thread. Also a decorator."""
    ranges = _ranges()
    ranges.range_push(name)
    try:
        yield
    finally:
        ranges.range_pop()


_END = object()


class _NoRanges:
    def range_push(self, name: str) -> None: ...

    def range_pop(self) -> None: ...

    def range_start(self, name: str) -> int:  # noqa: ARG002  nobody hears it
        return 0

    def range_end(self, handle: int) -> None: ...


class _NvtxPackage:
    """The `nvtx` package by the names that torch uses."""

    def __init__(self) -> None:
        import nvtx

        self.range_push, self.range_pop = nvtx.push_range, nvtx.pop_range
        self.range_start, self.range_end = nvtx.start_range, nvtx.end_range


_found: Ranges | None = None


def _ranges() -> Ranges:
    """The ranges to use, looked for once, when the first step or phase begins: the program has loaded torch by then."""
    global _found  # noqa: PLW0603  one process, one way to mark
    if _found is None:
        _found = _look_for_ranges()
    return _found


def _look_for_ranges() -> Ranges:
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        found: Ranges = torch.cuda.nvtx
        return found
    try:
        return _NvtxPackage()
    except ImportError:
        return _NoRanges()


def _wait_for_gpu() -> None:
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()
