"""The change of the replay that removes each cause."""

from dataclasses import replace

from gapfinder.pipeline.cause_spec import REMOVABLE, CauseSpec
from gapfinder.replay.change import Change
from gapfinder.replay.intervals import NO_TIME, Interval, Intervals
from gapfinder.replay.timeline import Timeline
from gapfinder.trace import OpenTrace

# Communication takes memory bandwidth and multiprocessors from compute that overlaps it: each ns of it makes compute this much
# longer, in ns. Measured with all-reduces of 1 GB a step under a backward pass (communication_faulty and its fix, two H200s over
# NVLink).
SLOWDOWN = 0.5
COMMUNICATION = "communication"  # a kind of activities
EVERY_WAIT = frozenset(REMOVABLE["waits"])


def changes(trace: OpenTrace, timeline: Timeline) -> dict[str, Change]:
    """The change for each cause that a replay can remove, as the `remove` section of the cause's file says."""
    pid = timeline.window.pid
    streams: dict[str, set[tuple[int, int]]] = {}
    for cause, gpu, stream in trace.tuples(f"SELECT cause, gpu, stream FROM dependent_streams WHERE pid = {pid}"):
        streams.setdefault(cause, set()).add((gpu, stream))
    ((fair_factor,),) = trace.tuples(f"SELECT fair_factor FROM replay_ranks WHERE pid = {pid}")
    slowed_by = _slowed_by(trace, timeline)
    # With one rank in the report, the waiting of a collective is not known, and waiting cannot be overlapped.
    ((one_rank,),) = trace.tuples("SELECT is_one FROM lone_rank")
    result = {}
    for cause in trace.config.causes.values():
        change = _change(
            cause,
            timeline,
            frozenset(streams.get(cause.cause, ())),
            fair_factor,
            slowed_by,
            _taken(trace, timeline, cause),
        )
        if change != Change() and not (one_rank and COMMUNICATION in change.overlapped):
            result[cause.cause] = change
    return result


def _slowed_by(trace: OpenTrace, timeline: Timeline) -> dict[int, float]:
    """By GPU, how much longer its compute takes if its communication overlaps it."""
    exposed_ns = trace.tuples(
        f"SELECT gpu, sum(end_ns - start_ns) FROM exposed_communication WHERE {timeline.window.starting} GROUP BY gpu"
    )
    computing: dict[int, list[Interval]] = {gpu: [] for gpu, _ in exposed_ns}
    for activity in timeline.activities:
        if activity.kind == "compute" and activity.gpu in computing:
            computing[activity.gpu].append((activity.start_ns, activity.end_ns))
    return {gpu: slowed(int(ns), Intervals.of(computing[gpu]).length_ns) for gpu, ns in exposed_ns}


def _taken(trace: OpenTrace, timeline: Timeline, cause: CauseSpec) -> dict[int, Intervals]:
    """By GPU, the time that the cause takes from it, if a replay gives it back."""
    if cause.remove is None or not cause.remove.gpu_time:
        return {}
    taken: dict[int, list[Interval]] = {}
    for gpu, start_ns, end_ns in trace.tuples(
        f"SELECT gpu, start_ns, end_ns FROM window_segments WHERE cause = '{cause.cause}' AND {timeline.window.touching}"
    ):
        taken.setdefault(gpu, []).append((start_ns, end_ns))
    return {gpu: Intervals.of(intervals) for gpu, intervals in taken.items()}


def _change(
    cause: CauseSpec,
    timeline: Timeline,
    streams: frozenset[tuple[int, int]],
    fair_factor: float,
    slowed_by: dict[int, float],
    taken: dict[int, Intervals],
) -> Change:
    remove = cause.remove
    if remove is None:
        return Change()
    spent = timeline.cpu_intervals.get(cause.cause, NO_TIME)
    computing = [activity.activity_id for activity in timeline.activities if activity.kind == "compute"] if remove.ranks else []
    return Change(
        removed=NO_TIME if remove.wholly else spent,
        removed_wholly=spent if remove.wholly else NO_TIME,
        gpu_removed=taken,
        without_waits=frozenset(remove.waits),
        overlapped=frozenset(remove.overlapped),
        independent=streams if remove.streams else frozenset(),
        ranks_in_step=remove.ranks,
        as_graph=remove.graph,
        queued_as_graph=remove.queue,
        compute_factors=slowed_by if COMMUNICATION in remove.overlapped else {},
        # work that is spread evenly over the ranks is still the same amount of work in total
        activity_factors=dict.fromkeys(computing, fair_factor),
    )


def everything(changes: dict[str, Change]) -> Change:
    """The change that removes all causes, all waits and all CPU time, so that only the GPU's work is left."""
    total = Change(without_waits=EVERY_WAIT, as_graph=True, at_once=True)
    for change in changes.values():
        total |= change
    return replace(total, compute_factors={})


def slowed(exposed_ns: float, computed_ns: float) -> float:
    """How much longer compute takes if communication that is exposed now overlaps it, as far as it finds compute to overlap."""
    return min(1 + SLOWDOWN * exposed_ns / max(1, computed_ns), 1 / (1 - SLOWDOWN))
