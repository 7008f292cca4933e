"""What each cause is, taken away: its mended counterpart, as a change of the replay."""

from dataclasses import replace

from gapfinder.replay.change import Change
from gapfinder.replay.intervals import merged
from gapfinder.replay.timeline import Timeline
from gapfinder.trace import Trace

# What compute takes longer for each ns of communication beside it, which takes memory bandwidth and multiprocessors: all-reduces
# of 1 GB a step under a backward pass (communication_faulty and its fix, two H200s over NVLink).
SLOWED = 0.5
EVERY_WAIT = frozenset({"sync", "read_back", "other_copy", "upload", "memory"})


def changes(trace: Trace, timeline: Timeline) -> dict[str, Change]:
    """The change for each cause that a replay can take away; for most it is that their CPU time is not spent."""
    found = {cause: Change(removed=tuple(merged(intervals))) for cause, intervals in timeline.spent.items()}
    ranks = trace.facts("SELECT * FROM replay_ranks")[0]
    computing = [op.op_id for op in timeline.ops if op.kind == "compute"]
    dependent = frozenset(row["stream"] for row in trace.facts("SELECT * FROM replay_streams"))
    copies = Change(without_waits=frozenset({"upload"}), overlapped=frozenset({"copy"}))
    found |= {
        "copy": found.get("copy", Change()) | copies,
        "host_sync": Change(without_waits=EVERY_WAIT - {"upload", "memory"}),
        "launch_bound": Change(as_graph=True),
        "memory_management": found.get("memory_management", Change()) | Change(without_waits=frozenset({"memory"})),
        # a launch that loads its kernel is one of those calls
        "module_loading": Change(removed_wholly=found.get("module_loading", Change()).removed),
        "queue_latency": Change(queued_as_graph=True),
        # work that is dealt out evenly is as much as before
        "rank_imbalance": Change(ranks_in_step=True, op_factors=dict.fromkeys(computing, ranks["fair_factor"])),
        "stream_dependency": Change(independent=dependent),
    }
    # with one rank in the report a collective's waiting, which nothing overlaps, cannot be told from its moving of data
    if not trace.facts("SELECT 1 FROM collectives WHERE peers = 0 LIMIT 1"):
        found["communication"] = Change(overlapped=frozenset({"communication"}), slowed_ns=SLOWED * ranks["exposed_ns"])
    return found


def everything(changes: dict[str, Change]) -> Change:
    """No CPU time, no waits, and no cause: what is left is the GPU's own work."""
    found = Change(without_waits=EVERY_WAIT, as_graph=True, at_once=True)
    for change in changes.values():
        found |= change
    return replace(found, slowed_ns=0.0)
