"""What each cause is, taken away: its mended counterpart, as a change of the replay."""

from dataclasses import replace

from gapfinder.pipeline.causes import CauseSpec
from gapfinder.replay.change import Change
from gapfinder.replay.intervals import merged
from gapfinder.replay.timeline import Timeline
from gapfinder.trace import OpenTrace as Trace

# What compute takes longer for each ns of communication beside it, which takes memory bandwidth and multiprocessors: all-reduces
# of 1 GB a step under a backward pass (communication_faulty and its fix, two H200s over NVLink).
SLOWED = 0.5
COMMUNICATION = "communication"  # the kind of activities
EVERY_WAIT = frozenset({"sync", "read_back", "other_copy", "upload", "memory"})


def changes(trace: Trace, timeline: Timeline) -> dict[str, Change]:
    """The change for each cause that a replay can take away, as the file of the cause states it."""
    pid = timeline.part.pid
    streams: dict[str, set[int]] = {}
    for cause, stream in trace.tuples(f"SELECT cause, stream FROM dependent_streams WHERE pid = {pid}"):
        streams.setdefault(cause, set()).add(stream)
    ((fair_factor,),) = trace.tuples(f"SELECT fair_factor FROM replay_ranks WHERE pid = {pid}")
    ((exposed_ns,),) = trace.tuples(
        f"SELECT coalesce(sum(end_ns - start_ns), 0) FROM exposed_communication WHERE {timeline.part.starting}"
    )
    # with one rank in the report a collective's waiting, which nothing overlaps, cannot be told from its moving of data
    one_rank = bool(trace.tuples("SELECT 1 FROM collectives WHERE peers = 0 LIMIT 1"))
    found = {}
    for cause in trace.config.causes.values():
        change = _change(cause, timeline, frozenset(streams.get(cause.cause, ())), fair_factor, int(exposed_ns))
        if change != Change() and not (one_rank and COMMUNICATION in change.overlapped):
            found[cause.cause] = change
    return found


def _change(cause: CauseSpec, timeline: Timeline, streams: frozenset[int], fair_factor: float, exposed_ns: int) -> Change:
    remove = cause.remove
    if remove is None:
        return Change()
    intervals = tuple(merged(timeline.spent.get(cause.cause, [])))
    computing = [activity.activity_id for activity in timeline.activities if activity.kind == "compute"] if remove.ranks else []
    return Change(
        removed=() if remove.wholly else intervals,
        removed_wholly=intervals if remove.wholly else (),
        without_waits=frozenset(remove.waits),
        overlapped=frozenset(remove.overlapped),
        independent=streams if remove.streams else frozenset(),
        ranks_in_step=remove.ranks,
        as_graph=remove.graph,
        queued_as_graph=remove.queue,
        slowed_ns=SLOWED * exposed_ns if COMMUNICATION in remove.overlapped else 0.0,
        # work that is dealt out evenly is as much as before
        activity_factors=dict.fromkeys(computing, fair_factor),
    )


def everything(changes: dict[str, Change]) -> Change:
    """No CPU time, no waits, and no cause: what is left is the GPU's own work."""
    found = Change(without_waits=EVERY_WAIT, as_graph=True, at_once=True)
    for change in changes.values():
        found |= change
    return replace(found, slowed_ns=0.0)
