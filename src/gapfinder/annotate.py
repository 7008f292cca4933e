"""Marks the steps and phases of a training loop with NVTX ranges, and says which steps are captured.

A training script that uses it needs no NVTX calls of its own:

    from gapfinder.annotate import phase, steps

    with steps(loader) as batches:
        for batch in batches:
            with phase("forward"):
                ...

The ranges are made by torch if the program has loaded it, else by the `nvtx` package; without both, nothing happens. No other
module of gapfinder is imported. Without a profiler, a range costs about a microsecond.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ContextDecorator
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

Batch = TypeVar("Batch")
Function = TypeVar("Function", bound=Callable[..., Any])

STEP = "step"
NEXT_BATCH = "next_batch"
# With `gapfinder capture --steps`, nsys records from the start to the end of the range of this name.
CAPTURE = "gapfinder.capture"
WARMUP_VARIABLE, STEPS_VARIABLE = "GAPFINDER_WARMUP", "GAPFINDER_STEPS"
WARMUP = 10  # steps; in every program that was tried, allocators, autotuning and lazy loading were done by then
STEPS = 20  # enough for mean values, and few enough for a report of a few megabytes


class Ranges(Protocol):
    """The functions of torch.cuda.nvtx that are used here. The `nvtx` package has them under other names."""

    def range_push(self, name: str) -> object:
        """Start a range on this thread."""

    def range_pop(self) -> object:
        """End the innermost range of this thread."""

    def range_start(self, name: str) -> int:
        """Start a range of the process; returns the handle that ends it."""

    def range_end(self, handle: int) -> object:
        """End the range of the process with this handle."""


class steps(Generic[Batch]):  # noqa: N801  reads as the function that it is used as
    """Iterates over `batches`. Each iteration is a range `step`, and the wait for its batch a range `next_batch`.

    `gapfinder capture --steps 20` records only the steps from `warmup` to `warmup + active`, and sets both numbers through the
    environment. The GPU is synchronized before the first and after the last of these steps. Raises ValueError if the environment
    has something else than a number there.
    """

    def __init__(self, batches: Iterable[Batch], *, warmup: int = WARMUP, active: int = STEPS) -> None:
        self._batches = batches
        self._first = _chosen(WARMUP_VARIABLE, warmup)
        self._end = self._first + _chosen(STEPS_VARIABLE, active)
        self._ranges = _ranges()
        self._capture: int | None = None
        self._step = 0  # counted on where the batches are iterated over again, as in each epoch
        self._in_step = False

    def __enter__(self) -> Self:
        return self

    def __iter__(self) -> Iterator[Batch]:
        if self._in_step:  # a `break` left it
            self._finish_step()
        batches = iter(self._batches)
        while True:
            if self._step == self._first and self._capture is None:
                self._start_capture()
            self._ranges.range_push(STEP)
            self._in_step = True
            with phase(NEXT_BATCH):
                batch = next(batches, _END)
            if batch is _END:
                self._end_step()
                break
            yield batch  # type: ignore[misc]  # it is not the sentinel
            self._finish_step()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end_step()
        self._stop_capture()

    def _finish_step(self) -> None:
        self._end_step()
        self._step += 1
        if self._step == self._end:
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


class phase(ContextDecorator):  # noqa: N801  reads as the function that it is used as
    """Mark a part of the step, such as "forward", with a range of that name on this thread. It is also a decorator.

    Raises TypeError for a function that is async or a generator: its call ends before its body runs.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, function: Function) -> Function:
        """Mark each call of a function."""
        if isgeneratorfunction(function) or iscoroutinefunction(function) or isasyncgenfunction(function):
            name = getattr(function, "__qualname__", function)
            raise TypeError(f"{name} is async or a generator: write `with phase({self._name!r})` in its body")
        return super().__call__(function)

    def __enter__(self) -> None:
        _ranges().range_push(self._name)

    def __exit__(self, *error: object) -> None:
        _ranges().range_pop()


def _chosen(variable: str, default: int) -> int:
    """The number that the environment sets."""
    text = os.environ.get(variable)
    if text is None:
        return default
    if not text.isdecimal():
        raise ValueError(f"{variable} is {text!r}: set it to a number of steps, or unset it")
    return int(text)


_END = object()


class _NoRanges:
    def range_push(self, name: str) -> None: ...

    def range_pop(self) -> None: ...

    def range_start(self, name: str) -> int:  # noqa: ARG002  part of the protocol
        return 0

    def range_end(self, handle: int) -> None: ...


class _NvtxPackage:
    """The `nvtx` package, with the names that torch uses."""

    def __init__(self) -> None:
        import nvtx

        self.range_push, self.range_pop = nvtx.push_range, nvtx.pop_range
        self.range_start, self.range_end = nvtx.start_range, nvtx.end_range


_cached: Ranges | None = None


def _ranges() -> Ranges:
    """The way to make ranges. It is chosen when the first step or phase starts, because the program has loaded torch by then."""
    global _cached  # noqa: PLW0603  chosen once in a process
    if _cached is None:
        _cached = _choose_ranges()
    return _cached


def _choose_ranges() -> Ranges:
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        ranges: Ranges = torch.cuda.nvtx
        return ranges
    try:
        return _NvtxPackage()
    except ImportError:
        return _NoRanges()


def _wait_for_gpu() -> None:
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()
