"""The whole loop on the GPU at hand: record the fault, diagnose it, mend it, record again; and a control beside them."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gapfinder.annotate import STEPS, WARMUP
from gapfinder.capture.request import Request
from gapfinder.capture.session import capture
from gapfinder.errors import CaptureError, UsageError
from gapfinder.system.scratch import scratch
from gapfinder.workload.outcome import Outcome, outcome
from gapfinder.workload.scripts import VARIANTS, Workload

FASTER = 1.1  # a fix that brings less proves nothing: step times of one program vary by some per cent from run to run
_STEP_MS = re.compile(r"steps of ([\d.]+) ms")


@dataclass(frozen=True)
class Proof:
    """A workload and what came of its variants, by name."""

    workload: Workload
    outcomes: dict[str, Outcome]

    @property
    def faster(self) -> float:
        """How many times faster the fix makes a step."""
        return self.outcomes["faulty"].step_ns / self.outcomes["fixed"].step_ns

    @property
    def predicted_ns(self) -> int | None:
        """The step without the planted cause, as predicted from the faulty trace."""
        return self.outcomes["faulty"].predicted_ns.get(self.workload.cause)

    @property
    def line_named(self) -> bool:
        """Whether the evidence for the planted cause names the planted line."""
        lines = self.outcomes["faulty"].lines.get(self.workload.cause, [])
        return any(line.endswith(self.workload.place) for line in lines)

    def doubts(self) -> list[str]:
        """What is not as it should be; nothing where the workload is proved."""
        found = self.outcomes["faulty"]
        right = found.verdict == self.workload.cause and self.workload.rank in (None, found.rank)
        doubts = [] if right else [f"the verdict is {found.named}"]
        if self.faster < FASTER:
            doubts.append(f"the fix makes it {self.faster:.2f} times as fast")
        if findings := self.outcomes["control"].findings:
            doubts.append(f"the control has {', '.join(findings)}")
        return doubts


def prove(workload: Workload, keep: Path | None, say: Callable[[str], None]) -> Proof:
    """Record and diagnose the variants of a workload; reports stay in `keep` as NAME_VARIANT.nsys-rep.

    Raises CaptureError where one does not run, or leaves no report.
    """
    with scratch() as temporary:
        folder = keep or temporary
        outcomes = {}
        for variant in VARIANTS:
            report, measured_ms = _record(workload, variant, folder)
            outcomes[variant] = found = outcome([report])
            step = f"step {found.step_ns / 1e6:.3f} ms, itself says {measured_ms}"
            say(f"{workload.name} {variant}: {found.named}, {step}")
        return Proof(workload, outcomes)


def prove_kept(workload: Workload, folder: Path) -> Proof:
    """Diagnose what `prove` kept of a workload in `folder`, or exports of it, or traces of its ranks, as NAME_VARIANT_rank0.

    Raises UsageError where a variant is missing.
    """
    outcomes = {}
    for variant in VARIANTS:
        name = f"{workload.name}_{variant}"
        traces = sorted(folder.glob(f"{name}.*"))[:1] or sorted(folder.glob(f"{name}_rank*.*"))
        if not traces:
            raise UsageError(f"{folder} has no {workload.name}_{variant}.nsys-rep, nor an export of it")
        outcomes[variant] = outcome(traces)
    return Proof(workload, outcomes)


def _record(workload: Workload, variant: str, folder: Path) -> tuple[Path, str]:
    """The report of a variant, and the time per step in ms that the program printed."""
    options = {option.removeprefix("--").replace("-", "_"): True for option in workload.capture_options}
    with tempfile.TemporaryFile() as output:
        request = Request(
            workload.command(variant, "--steps", str(STEPS)),
            folder / f"{workload.name}_{variant}.nsys-rep",
            steps=STEPS,
            warmup=WARMUP,
            output_fd=output.fileno(),
            **options,  # type: ignore[arg-type]  # flags of Request
        )
        recorded = capture(request, lambda _: None)
        output.seek(0)
        printed = output.read().decode()
    if recorded.status:
        raise CaptureError(f"{workload.name} {variant} ended with status {recorded.status}")
    measured = _STEP_MS.search(printed)
    if measured is None:
        raise CaptureError(f"{workload.name} {variant} printed no time per step: {printed!r}")
    return recorded.report, measured[1]
