"""The tables of a diagnosis, which all renderers share. Names from the trace are not yet escaped."""

from collections.abc import Sequence

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import JobCause
from gapfinder.diagnosis.regimes import is_varied
from gapfinder.display import Table
from gapfinder.units import amount, count, duration, percent


def ledger(compute_share: float, causes: Sequence[DiagnosedCause | JobCause], step_ns: float) -> list[tuple[str, str, str]]:
    """The rows of the ledger, as the mean of the GPUs: a name, its time per step and its share. The causes come by share."""
    causes = sorted(causes, key=lambda cause: -cause.share)
    shares = [("compute", compute_share), *((cause.cause, cause.share) for cause in causes), ("window", 1.0)]
    return [(name, duration(share * step_ns), percent(share)) for name, share in shares]


def gpus(diagnosis: Diagnosis) -> Table:
    """What each GPU computes, and loses most to. It is empty where there is one, since the ledger says so."""
    rows = []
    for device in diagnosis.devices if len(diagnosis.devices) > 1 else []:
        worst, lost_ns = max(device.causes.items(), key=lambda lost: lost[1], default=("", 0))
        most = f"{worst} {percent(lost_ns / device.window_ns)}" if worst else ""
        rows.append((f"GPU {device.gpu}", percent(device.compute_share), most))
    return Table(("GPUs", "computes", "loses most to"), rows)


def regimes(diagnosis: Diagnosis) -> Table:
    """What the program did in the whole recording. It is empty where that is what every recording is made of."""
    recorded_ns = sum(regime.length_ns for regime in diagnosis.regimes)
    rows = []
    for regime in diagnosis.regimes if is_varied(diagnosis.regimes) else []:
        worst = regime.most_lost()
        rows.append(
            (
                regime.kind,
                count(round(regime.every_steps), "step") if regime.every_steps else "",
                f"{regime.steps if regime.kind == 'steps' else regime.times:,}",
                duration(regime.length_ns),
                percent(regime.length_ns / recorded_ns),
                percent(regime.compute_share) if regime.devices else "",
                f"{worst[0]} {percent(worst[1])}" if worst else "",
            )
        )
    return Table(("Recorded", "every", "times", "in all", "share", "computes", "loses most to"), rows)


def phases(diagnosis: Diagnosis) -> Table:
    """The work and the lost time of each phase, per step."""
    window = diagnosis.window
    steps = window.in_steps
    return Table(
        (_of_all_gpus("Phases", diagnosis), *map(window.mean_of, ("GPU work", "lost", "activities"))),
        [
            (phase.name, duration(phase.gpu_ns / steps), duration(phase.lost_ns / steps), f"{phase.activities / steps:.0f}")
            for phase in diagnosis.phases
        ],
    )


def kernels(diagnosis: Diagnosis) -> Table:
    """The kernels that take the most time, per step."""
    window = diagnosis.window
    steps = window.in_steps
    return Table(
        (_of_all_gpus("Kernels", diagnosis), window.per_unit, "each", window.mean_of("times")),
        [
            (kernel.name, duration(kernel.gpu_ns / steps), duration(kernel.mean_ns), amount(kernel.times / steps))
            for kernel in diagnosis.kernels
        ],
    )


def _of_all_gpus(title: str, diagnosis: Diagnosis) -> str:
    """The title of a table of sums over all GPUs; the ledger has means."""
    return title if len(diagnosis.devices) == 1 else f"{title} ({len(diagnosis.devices)} GPUs together)"
