"""The ledger of each step, for the bars of a report."""

from collections import defaultdict
from typing import Any

from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.trace import Trace


def step_ledgers(trace: Trace, diagnosis: Diagnosis) -> dict[str, Any]:
    """Lists with an entry for each step: `number`, `start_ns`, `length_ns`; of each GPU `compute_ns`, and by cause `lost_ns`.

    Where a trace has no steps, the window is the only one. Of a window that was asked for as times, what lies outside of
    all steps is in none.
    """
    steps = trace.rows("SELECT * FROM page_steps")
    place = {row["step"]: at for at, row in enumerate(steps)}
    if not trace.rows("SELECT 1 FROM window_steps LIMIT 1"):
        gpus = [_whole_window(device.gpu, device.compute_ns, device.causes) for device in diagnosis.devices]
    else:
        lost: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0] * len(steps)))
        for row in trace.rows("SELECT * FROM step_ledger"):
            lost[row["gpu"]][row["cause"]][place[row["step"]]] = row["lost_ns"]
        compute: dict[int, list[int]] = defaultdict(lambda: [0] * len(steps))
        for row in trace.rows("SELECT * FROM step_totals"):
            compute[row["gpu"]][place[row["step"]]] = row["compute_ns"]
        gpus = [{"gpu": gpu, "compute_ns": compute[gpu], "lost_ns": lost[gpu]} for gpu in sorted(compute)]
    return {
        "number": [row["step"] for row in steps],
        "start_ns": [row["start_ns"] for row in steps],
        "length_ns": [row["end_ns"] - row["start_ns"] for row in steps],
        "gpus": gpus,
    }


def _whole_window(gpu: int, compute_ns: int, causes: dict[str, int]) -> dict[str, Any]:
    return {"gpu": gpu, "compute_ns": [compute_ns], "lost_ns": {cause: [lost_ns] for cause, lost_ns in causes.items()}}
