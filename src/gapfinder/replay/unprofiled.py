"""Predicts the step time without the profiler: a replay without the CPU time that each recorded event cost.

Measured on an H200 host (nsys 2025.3, PyTorch 2.11), the same loop with and without nsys: a kernel launch cost 1.8 to 2.0 us
where nothing else was done, 30 % of the time from one to the next, and 3.2 to 3.5 us in a training step of 424; a cudaStreamQuery
0.75 us; an NVTX range 0.5 us; a write() 0.2 to 0.4 us. A Python sample stops its thread for 4 to 9 us. Launch-bound
programs on other hosts took 22 to 34 % longer under the profiler: 2.4 to 3.9 us for each launch, 18 to 25 % of the time.
On a third host a loop of additions cost 3.8 to 4.0 us a launch, 40 % of the time, and training steps 3.2 to 3.7 us.
With GIL tracing, four ranges to a launch, the step of a launch-bound program took 4.47 ms, and 2.96 ms without nsys.
On a virtual machine with an H100 seven training steps of 255 to 2,276 launches took 0 to 20 us longer for each launch, up to
half of the time; most of that with --trace=cuda alone (14.0 ms a step of 340, 10.6 without nsys, 14.5 with all recordings).
On others of that kind, eighteen whole programs took 18 to 34 us longer for each launch of PyTorch, 25 of JAX, 9 of CuPy and 3 of
C++, at most half of the time. Of eight further ones three took 36 to 48 us longer for each launch of PyTorch, up to 59 % of the
time: nanoGPT, a Siamese ResNet and Whisper, with all recordings at once.
"""

import numpy as np

from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Array, Intervals
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import ReplayWindow
from gapfinder.trace import OpenTrace

LAUNCH = "launch"  # the kind of launches and copies, as in the relation traced_events
LEAST_NS = {LAUNCH: 2_400, "call": 700, "os_call": 200, "range": 400, "sample": 4_000}
MOST_NS = {LAUNCH: 50_000, "call": 1_000, "os_call": 500, "range": 600, "sample": 9_000}
LEAST_SHARE, MOST_SHARE = 0.18, 0.60  # upper limit of a launch's cost, as a share of the time to the next launch


def traced(trace: OpenTrace, window: ReplayWindow) -> dict[str, Array]:
    """The events that the profiler recorded on the launching threads in the replayed steps, in order: start_ns and kind."""
    return trace.arrays(f"SELECT start_ns, kind FROM traced_events WHERE {window.starting} ORDER BY start_ns")


def unprofiled(replay: Replay, events: dict[str, Array], unpaid: Change) -> tuple[float, float]:
    """The shortest and the longest length of the timeline without the profiler, ns.

    `unpaid` takes away the causes that are the profiler's own, such as the time in which it writes its buffers.
    """
    shortest = unpaid | Change(removed_wholly=_costs(events, MOST_NS, MOST_SHARE))
    longest = unpaid | Change(removed_wholly=_costs(events, LEAST_NS, LEAST_SHARE))
    return replay.length_ns(shortest), replay.length_ns(longest)


def _costs(events: dict[str, Array], each_ns: dict[str, int], share: float) -> Intervals:
    """The CPU time that the events cost, each in whole ns. That of an event begins with it, or after that of the event before."""
    start_ns, kinds = events["start_ns"], events["kind"]
    cost_ns = np.zeros(len(kinds), np.int64)
    for kind, ns in each_ns.items():
        cost_ns[kinds == kind] = ns
    launches = np.flatnonzero(kinds == LAUNCH)
    until_next_ns = np.diff(start_ns[launches])
    most_ns = np.where(until_next_ns > 0, (share * until_next_ns).astype(np.int64), each_ns[LAUNCH])
    cost_ns[launches[:-1]] = np.minimum(cost_ns[launches[:-1]], most_ns)
    before_ns = np.cumsum(cost_ns) - cost_ns
    begins_ns = np.maximum.accumulate(start_ns - before_ns) + before_ns
    return Intervals(begins_ns, begins_ns + cost_ns)
