"""GPU metrics: how hard the GPUs work, where Nsight Systems sampled their counters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from gapfinder.units import clean

if TYPE_CHECKING:
    from gapfinder.trace import OpenTrace

CLOCK = "GPC Clock Frequency"
READS, WRITES = "DRAM Read Bandwidth", "DRAM Write Bandwidth"
SHOWN = {"SMs Active": "SMs active", "Tensor Active": "tensor cores active"}
# Nsight Compute calls a unit well used from 60 % of its peak on. On an H100, additions of large tensors take 91 % of the memory
# bandwidth, and matrix products 23 %.
WELL_USED = 60
# Matrix products lowered the clock of an H100 to 73 % of its highest; programs that do not reach the power limit kept 99 %.
THROTTLED = 0.9


@dataclass(frozen=True)
class Metric:
    """A GPU metric in the window: the mean and the highest of its samples, in its unit (% or MHz).

    `computing_mean` is of the samples while the GPU computes; None if there are none.
    """

    gpu: int
    metric: str
    unit: str
    mean: float
    computing_mean: float | None
    highest: float
    samples: int


def metrics_of(trace: "OpenTrace") -> list[Metric]:
    """The metrics of each GPU; empty if none were recorded."""
    return [Metric(**row | {"metric": clean(row["metric"])}) for row in trace.id_rows("SELECT * FROM window_metrics")]


def sentences(metrics: Sequence[Metric]) -> Iterator[str]:
    """What the metrics say, one sentence or two for each GPU."""
    for gpu, group in groupby(metrics, key=lambda metric: metric.gpu):
        found = {metric.metric: metric for metric in group}
        parts = [f"{words} {found[name].mean:.0f} %" for name, words in SHOWN.items() if name in found]
        memory = None
        if READS in found and WRITES in found:
            memory = found[READS].mean + found[WRITES].mean
            parts.append(f"memory bandwidth {memory:.0f} %")
        clock = found.get(CLOCK)
        if clock:
            parts.append(f"clock {clock.mean:,.0f} MHz")
        if not parts:
            continue
        text = f"GPU {gpu}, mean of its metrics in the window: {', '.join(parts)}."
        if memory is not None and memory >= WELL_USED:
            text += " Memory bandwidth limits its kernels: move fewer bytes (fuse kernels, use smaller types)."
        if clock and clock.computing_mean and clock.computing_mean < THROTTLED * clock.highest:
            text += f" Its clock reached {clock.highest:,.0f} MHz, and was lower on average while it computed: "
            text += "power or heat may limit it."
        yield text
