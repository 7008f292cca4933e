"""What `--speed-up` means in a trace: the change of the replay, and in words what was found."""

from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase

from gapfinder.diagnosis.units import count, duration
from gapfinder.errors import UsageError
from gapfinder.replay.change import Change
from gapfinder.replay.model import Replay
from gapfinder.replay.timeline import Op
from gapfinder.trace import Trace
from gapfinder.whatif.grammar import DIRECTIONS
from gapfinder.whatif.removals import Found, listed


def find_kernels(trace: Trace, replay: Replay, name: str, factor: float) -> Found:
    """Kernels by name or wildcard, `factor` times as long."""
    names = {row["op_id"]: row["name"] for row in trace.facts("SELECT * FROM replay_kernels")}
    kernels = [op for op in replay.timeline.ops if op.op_id in names]
    hits = [op for op in kernels if fnmatchcase(names[op.op_id], name)]
    if not hits:
        longest: Counter[str] = Counter()
        for op in kernels:
            longest[names[op.op_id]] += op.end_ns - op.start_ns
        raise UsageError(f"no kernel is named {name!r}; there is {listed([name for name, _ in longest.most_common()])}")
    different = count(len({names[op.op_id] for op in hits}), "kernel")
    return _scaled(replay, hits, factor, f"{different}, {count(len(hits), 'op')}")


def find_copies(trace: Trace, replay: Replay, which: str, factor: float) -> Found:  # noqa: ARG001  the same for every subject
    """Copies, all or of one direction, `factor` times as long."""
    copies = [op for op in replay.timeline.ops if op.direction in DIRECTIONS.values()]
    hits = [op for op in copies if op.direction == DIRECTIONS.get(which, op.direction)]
    if not hits:
        there = sorted(name for name, direction in DIRECTIONS.items() if any(op.direction == direction for op in copies))
        raise UsageError(f"no copy of that direction is in this trace; there is {listed(there)}")
    return _scaled(replay, hits, factor, f"{len(hits):,} copies" if len(hits) > 1 else "1 copy")


def find_cpu(trace: Trace, replay: Replay, which: str, factor: float) -> Found:  # noqa: ARG001  the same for every subject
    """All CPU time that is not spent waiting, `factor` times as long."""
    spent_ns = replay.cpu_ns([(replay.timeline.start_ns, replay.timeline.end_ns)]) / replay.timeline.steps
    return Change(cpu_factor=factor), f"{duration(spent_ns)} of CPU time a step"


SPEED_UPS = {"kernel": find_kernels, "copy": find_copies, "cpu": find_cpu}


def _scaled(replay: Replay, ops: Iterable[Op], factor: float, what: str) -> Found:
    ops = list(ops)
    spent_ns = sum(op.end_ns - op.start_ns for op in ops) / replay.timeline.steps
    return Change(op_factors={op.op_id: factor for op in ops}), f"{what}, {duration(spent_ns)} a step"
