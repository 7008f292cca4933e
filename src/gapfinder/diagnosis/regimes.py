"""The regimes of a trace: what the program did at which time, and the ledger of each kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gapfinder.diagnosis.device import Device, compute_share, lost_by_cause
from gapfinder.units import percent

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace

USUAL_KINDS = {"start-up", "steps", "end", "asked", "everything"}  # what every recording is made of
AROUND_STEPS = {"start-up", "end"}
# Of what was recorded. A start-up as long may hold work of its own, as a solver before another one, and an end a large copy.
LONG = 1 / 3
LAUNCH_PERIOD = "launch period"  # a source of steps
FEW_STEPS = 0.2  # of the recording: where steps take less, the layers of one long first step may be taken for them
TOLD = 0.001  # of the recording: shorter kinds are not mentioned
MIN_SHARE = 0.1  # of the recording; if all other kinds take less, they are not mentioned


@dataclass(frozen=True)
class Regime:
    """The regimes of one kind: `times` of them, which take `length_ns` in all, with `steps` steps of the loop.

    It recurs every `every_steps` steps; None if it occurs once or irregularly, or is the steps. `devices` has its ledgers.
    """

    kind: str
    times: int
    steps: int
    length_ns: int
    every_steps: float | None
    devices: list[Device]

    @property
    def compute_share(self) -> float:
        """The share of its time in which a GPU computes, 0 to 1: the mean of all GPUs."""
        return compute_share(self.devices)

    def most_lost(self) -> tuple[str, float] | None:
        """The cause that costs most of it, with its share; None where nothing is lost."""
        window_ns = sum(device.window_ns for device in self.devices)
        return next(((cause, lost_ns / window_ns) for cause, lost_ns in lost_by_cause(self.devices).most_common(1)), None)


def regimes_of(trace: "OpenTrace") -> list[Regime]:
    """The regimes of a trace, the longest first."""
    lost: dict[tuple[str, int], dict[str, int]] = {}
    for row in trace.id_rows("SELECT * FROM regime_ledger"):
        lost.setdefault((row["kind"], row["gpu"]), {})[row["cause"]] = row["lost_ns"]
    devices: dict[str, list[Device]] = {}
    for row in trace.id_rows("SELECT * FROM regime_devices"):
        kind, gpu = row["kind"], row["gpu"]
        ledger = Device(gpu, row["name"], row["window_ns"], row["compute_ns"], lost.get((kind, gpu), {}))
        devices.setdefault(kind, []).append(ledger)
    return [
        Regime(row["kind"], row["times"], row["steps"], row["length_ns"], row["every_steps"], devices.get(row["kind"], []))
        for row in trace.id_rows("SELECT * FROM regime_totals")
    ]


def is_varied(regimes: Sequence[Regime]) -> bool:
    """Whether the program did other things than its steps: validations, checkpoints, or a long start-up or end."""
    recorded_ns = sum(regime.length_ns for regime in regimes)
    return any(
        regime.kind not in USUAL_KINDS or (regime.kind in AROUND_STEPS and regime.length_ns >= LONG * recorded_ns)
        for regime in regimes
    )


def long_start_up(regimes: Sequence[Regime], source: str) -> float | None:
    """The share of a recording that is start-up, if its steps are so few that they may be something else; else None.

    `source` says how steps were found, as in a DiagnosedWindow: those that the user names are what they are.
    """
    lengths_ns = {regime.kind: regime.length_ns for regime in regimes}
    recorded_ns, start_up_ns = sum(lengths_ns.values()), lengths_ns.get("start-up", 0)
    if source != LAUNCH_PERIOD or not 0 < lengths_ns.get("steps", 0) < min(FEW_STEPS * recorded_ns, start_up_ns):
        return None
    return start_up_ns / recorded_ns


def shares(regimes: Sequence[Regime], source: str) -> str:
    """A sentence on what was recorded; empty if much of it is steps, and the rest a start-up and an end."""
    recorded_ns = sum(regime.length_ns for regime in regimes)
    rest_ns = sum(regime.length_ns for regime in regimes if regime.kind not in USUAL_KINDS)
    if rest_ns < MIN_SHARE * recorded_ns and long_start_up(regimes, source) is None:
        return ""
    told = (regime for regime in regimes if regime.length_ns >= TOLD * recorded_ns)
    parts = (f"{percent(regime.length_ns / recorded_ns)} is {regime.kind}" for regime in told)
    return f" Of all that was recorded, {', '.join(parts)}."
