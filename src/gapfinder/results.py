"""The classes of all results, for annotations: `Diagnosis`, `Job`, `Comparison`, `WhatIf` and every class of what they hold."""

from gapfinder.comparison.comparison import Comparison, KernelChange, Line, Pair, Prediction, Speedup, StepTime, Traced
from gapfinder.diagnosis.cause import DiagnosedCause, Evidence, Fix
from gapfinder.diagnosis.device import Device
from gapfinder.diagnosis.diagnosis import Diagnosis, Kernel, Phase
from gapfinder.diagnosis.job import (
    AlignmentQuality,
    Arrival,
    Charge,
    Job,
    JobCause,
    LateRank,
    RankLedger,
    RankStreams,
    Transfer,
    Wait,
)
from gapfinder.diagnosis.metrics import Metric
from gapfinder.diagnosis.regimes import Regime
from gapfinder.diagnosis.requests import Requests, Tokens
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.gates.gate import GateResult
from gapfinder.whatif.whatif import Answer, WhatIf

__all__ = [
    "AlignmentQuality",
    "Answer",
    "Arrival",
    "Charge",
    "Comparison",
    "Device",
    "DiagnosedCause",
    "DiagnosedWindow",
    "Diagnosis",
    "Evidence",
    "Fix",
    "GateResult",
    "Job",
    "JobCause",
    "Kernel",
    "KernelChange",
    "LateRank",
    "Line",
    "Metric",
    "Pair",
    "Phase",
    "Prediction",
    "RankLedger",
    "RankStreams",
    "Regime",
    "Requests",
    "Speedup",
    "StepTime",
    "Tokens",
    "Traced",
    "Transfer",
    "Wait",
    "WhatIf",
]
