"""Proves a workload on this machine's GPU: records its fault, its fix and its control, and compares the diagnoses."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gapfinder.annotate import STEPS, WARMUP
from gapfinder.capture.request import Request
from gapfinder.capture.session import capture
from gapfinder.errors import CaptureError, UsageError
from gapfinder.pipeline.stages import silent
from gapfinder.system.scratch import scratch
from gapfinder.workload.outcome import Outcome, outcome
from gapfinder.workload.scripts import VARIANTS, Workload

MIN_SPEEDUP = 1.1  # a smaller speedup proves nothing: the step times of a program vary by a few per cent from run to run
NSYS_FLAG = "--nsys-flag="
_STEP_MS = re.compile(r"steps of ([\d.]+) ms")


@dataclass(frozen=True)
class Proof:
    """A workload, and the outcome of each of its variants by name."""

    workload: Workload
    outcomes: dict[str, Outcome]

    @property
    def speedup(self) -> float:
        """The step time with the fault, divided by the step time with the fix."""
        return self.outcomes["faulty"].step_ns / self.outcomes["fixed"].step_ns

    @property
    def predicted_ns(self) -> int | None:
        """The step time without the planted cause, in ns, as predicted from the trace with the fault."""
        return self.outcomes["faulty"].predicted_ns.get(self.workload.cause)

    def failures(self) -> list[str]:
        """What is wrong, each as a short phrase; empty if the workload is proved."""
        faulty = self.outcomes["faulty"]
        correct = faulty.verdict == self.workload.cause and self.workload.rank in (None, faulty.rank)
        failures = [] if correct else [f"the verdict is {faulty.verdict_and_rank}"]
        if self.speedup < MIN_SPEEDUP:
            failures.append(f"the fix makes it {self.speedup:.2f} times as fast")
        if findings := self.outcomes["control"].findings:
            failures.append(f"the control has {', '.join(findings)}")
        return failures


def prove(workload: Workload, keep: Path | None, say: Callable[[str], None]) -> Proof:
    """Record and diagnose the variants of a workload. With `keep`, the reports stay in that folder as NAME_VARIANT.nsys-rep.

    `say` gets a line for each variant. Raises CaptureError if a variant fails, or if there is no report.
    """
    with scratch() as temporary:
        folder = keep or temporary
        outcomes = {}
        for variant in VARIANTS:
            report, measured_ms = _record(workload, variant, folder)
            outcomes[variant] = result = outcome([report])
            step = f"step {result.step_ns / 1e6:.3f} ms, measured by the program {measured_ms} ms"
            say(f"{workload.name} {variant}: {result.verdict_and_rank}, {step}")
        return Proof(workload, outcomes)


def prove_kept(workload: Workload, folder: Path) -> Proof:
    """Diagnose what `prove` kept in `folder`: reports, exports of them, or traces of ranks such as NAME_VARIANT_rank0.nsys-rep.

    Raises UsageError if a variant is missing.
    """
    outcomes = {}
    for variant in VARIANTS:
        name = f"{workload.name}_{variant}"
        traces = sorted(folder.glob(f"{name}.*"))[:1] or sorted(folder.glob(f"{name}_rank*.*"))
        if not traces:
            raise UsageError(f"{folder} has neither {name}.nsys-rep nor an export of it")
        outcomes[variant] = outcome(traces)
    return Proof(workload, outcomes)


def _record(workload: Workload, variant: str, folder: Path) -> tuple[Path, str]:
    """Record a variant; returns the report, and the time per step in ms that the program printed."""
    flags = tuple(option.removeprefix(NSYS_FLAG) for option in workload.capture_options if option.startswith(NSYS_FLAG))
    switches = [option for option in workload.capture_options if not option.startswith(NSYS_FLAG)]
    options = {option.removeprefix("--").replace("-", "_"): True for option in switches}
    with tempfile.TemporaryFile() as output:
        request = Request(
            workload.command(variant, "--steps", str(STEPS)),
            folder / f"{workload.name}_{variant}.nsys-rep",
            steps=STEPS,
            warmup=WARMUP,
            output_fd=output.fileno(),
            nsys_flags=flags,
            **options,  # type: ignore[arg-type]  # fields of Request
        )
        recorded = capture(request, silent)
        output.seek(0)
        printed = output.read().decode()
    if recorded.status:
        raise CaptureError(f"{workload.name} {variant} ended with status {recorded.status}")
    measured = _STEP_MS.search(printed)
    if measured is None:
        raise CaptureError(f"{workload.name} {variant} printed no time per step: {printed!r}")
    return recorded.report, measured[1]
