"""`Request`: what a user wants to record."""

import os
from dataclasses import dataclass
from pathlib import Path

from gapfinder.annotate import CAPTURE, STEPS_VARIABLE, WARMUP_VARIABLE
from gapfinder.capture.recordings import FORKS, RECORDINGS, Recording
from gapfinder.pipeline.stages import Stage

CUDA_PROFILER = "cudaProfilerApi"


@dataclass(frozen=True)
class Request:
    """A program to record, with its arguments, and the path of the report.

    `capture_range` is `cudaProfilerApi` or the name of an NVTX range. `steps` and `warmup` count steps of a loop over
    `gapfinder.annotate.steps`. `delay_s` and `duration_s` are in seconds. `stop` ends the program when the recording is over.
    `also` are recordings that are not always made. `isolate` keeps other processes and their environment out of the report.
    `output_fd` is the file descriptor of the program's standard output. With `force`, a report that exists is replaced.
    """

    program: tuple[str, ...]
    output: Path
    capture_range: str | None = None
    steps: int | None = None
    warmup: int | None = None
    delay_s: int | None = None
    duration_s: int | None = None
    stop: bool = False
    also: tuple[Recording, ...] = ()
    isolate: bool = True
    nsys_flags: tuple[str, ...] = ()
    output_fd: int = 1
    force: bool = False

    @property
    def wanted(self) -> tuple[Recording, ...]:
        """All recordings that the user wants."""
        return (*RECORDINGS, *self.also)

    def bounds(self) -> list[str]:
        """The flags of `nsys profile` that say which part of the run is recorded, and how it ends."""
        flags = []
        if nvtx_range := self._nvtx_range():
            # @* means any NVTX domain, so an @ in the name is escaped
            flags += ["--capture-range=nvtx", "--nvtx-capture=" + nvtx_range.replace("@", "\\@") + "@*"]
        elif self.capture_range:
            flags.append(f"--capture-range={self.capture_range}")
        if flags:
            flags.append(f"--capture-range-end={'stop-shutdown' if self.stop else 'stop'}")
        flags += [f"--delay={self.delay_s}"] if self.delay_s else []
        return flags + ([f"--duration={self.duration_s}"] if self.duration_s else [])

    def environment(self) -> dict[str, str]:
        """The program's environment: the user's variables, and those that `gapfinder.annotate` reads."""
        settings = {STEPS_VARIABLE: self.steps, WARMUP_VARIABLE: self.warmup}
        return dict(os.environ) | {name: str(value) for name, value in settings.items() if value is not None}

    def doing(self, past_s: float | None) -> str:
        """What goes on this long after the program started, or, None, after the recording; a `Stage` where its end is known."""
        if past_s is None:
            return "writing the report"
        doing = f"recording, {past_s:.0f} s" if past_s >= (self.delay_s or 0) else f"not recorded yet, {past_s:.0f} s"
        if self.duration_s is None:
            return doing
        return Stage(doing, min(1.0, past_s / ((self.delay_s or 0) + self.duration_s)))

    def ends_program(self) -> bool:
        """Whether nsys ends the program, with SIGTERM, when the recording is over."""
        return self.duration_s is not None or (self.stop and self.bounds() != [])

    def when(self) -> str | None:
        """When the recording begins and ends, in seconds after the program starts; None where only the program knows."""
        if self.duration_s is None or self._nvtx_range() or self.capture_range:
            return None
        begin_s = self.delay_s or 0
        return f"the recording takes {self.duration_s} s and ends the program {begin_s + self.duration_s} s after its start"

    def why_nothing_recorded(self) -> str:
        """The reason if nsys had no error and still recorded nothing."""
        if self.steps is not None or self.warmup is not None:
            return (
                "the program did not reach the steps to record: its loop must use gapfinder.annotate.steps() "
                "and be longer than --warmup"
            )
        if self.capture_range == CUDA_PROFILER:
            return "the program never called cudaProfilerStart, which --capture-range=cudaProfilerApi waits for"
        if self.capture_range:
            return f"the program never entered an NVTX range named {self.capture_range!r}"
        if self.delay_s:
            return f"the program ended before the delay of {self.delay_s} s was over"
        return "nsys recorded nothing"

    def why_idle(self) -> str:
        """What to change if the program launched nothing on a GPU while it was recorded."""
        if self.steps is not None or self.warmup is not None:
            return "the steps that were recorded use no GPU: choose later ones with --warmup, or more with --steps"
        if self.capture_range:
            return "the range that was recorded holds no GPU work: choose another one with --capture-range"
        if self.duration_s is not None:
            return "it may not have come to it yet: record for longer with --duration, or begin later with --delay"
        if self.delay_s:
            return f"it may have done its work in the first {self.delay_s} s: begin earlier with --delay"
        if FORKS not in self.also:
            return "if its work is done by forked processes, record them with --follow-forks"
        return "does it use CUDA?"

    def _nvtx_range(self) -> str | None:
        if self.steps is not None or self.warmup is not None:
            return CAPTURE
        return None if self.capture_range == CUDA_PROFILER else self.capture_range
