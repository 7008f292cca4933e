"""What is replayed: one CPU timeline of launches and waits, and the ops that they submit."""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from gapfinder.replay.intervals import Interval
from gapfinder.trace import Trace

MOST_OPS = 100_000  # a second of Python; twenty steps are far fewer
READ_BACK_BYTES = 65536  # a copy back of at most so much is made to be looked at, as in sql/3_gaps/gap_ends.sql
_LAUNCH = attrgetter("launch_start_ns", "launch_end_ns", "global_tid")  # what the ops of one call have in common


class Op(NamedTuple):
    """A row of `replay_ops`; times in ns."""

    op_id: int
    kind: str
    gpu: int
    stream: int
    global_tid: int
    start_ns: int
    end_ns: int
    launch_start_ns: int
    launch_end_ns: int
    all_arrived_ns: int
    direction: str
    pageable: bool
    bytes: int

    @property
    def role(self) -> str:
        """What a copy is for: "read_back copy" (to be looked at), "host copy" (any other from or to the host), else empty."""
        if self.direction == "Device-to-Host":
            return "read_back copy" if self.bytes <= READ_BACK_BYTES else "host copy"
        return "host copy" if self.direction.startswith("Host-to-") else ""


class Call(NamedTuple):
    """A call on the CPU timeline: it launches ops (their places in `Timeline.ops`), or with none waits for the GPU.

    `kind` is what a wait waits for, as in blocking_calls, or the role of the copies that are launched; `for_all` is true of
    waits for everything that was launched before.
    """

    start_ns: int
    end_ns: int
    ops: range
    kind: str
    for_all: bool


@dataclass(frozen=True)
class Timeline:
    """The replayed part of a window: `steps` steps.

    It is measured from its start where all of it was launched after that (`from_start`), else from the start of its first op
    to the end of its last. `spent` is the CPU time that each cause takes, launches aside.
    """

    start_ns: int
    end_ns: int
    steps: int
    from_start: bool
    calls: list[Call]
    ops: list[Op]
    spent: dict[str, list[Interval]]

    @property
    def origin_ns(self) -> int:
        """From where it is measured, ns since the session began."""
        return self.start_ns if self.from_start else min(op.start_ns for op in self.ops)

    @cached_property
    def last_end_ns(self) -> int:
        """The end of its last op, ns since the session began."""
        return max(op.end_ns for op in self.ops)

    @property
    def measured_ns(self) -> int:
        """What the replay, unchanged, should take."""
        return (max(self.last_end_ns, self.end_ns) if self.from_start else self.last_end_ns) - self.origin_ns

    @classmethod
    def of(cls, trace: Trace) -> "Timeline | None":
        """The timeline of a trace; None where no launches are known, or of more than `MOST_OPS` ops."""
        window = trace.facts("SELECT * FROM replay_window")[0]
        rows = trace.cursor(named=False).execute(
            f"SELECT {', '.join(Op._fields)} FROM replay_ops LIMIT {MOST_OPS + 1}"
        ).fetchall()
        ops = [Op._make(row) for row in rows]
        if not 0 < len(ops) <= MOST_OPS:
            return None
        waits = trace.facts("SELECT * FROM replay_waits")
        calls = [Call(wait["start_ns"], wait["end_ns"], range(0), wait["waits_for"], wait["for_all"]) for wait in waits]
        place = 0
        for (start_ns, end_ns, _), group in groupby(ops, key=_LAUNCH):
            launched = list(group)
            roles = {op.role for op in launched}
            kind = roles.pop() if len(roles) == 1 else ""
            calls.append(Call(start_ns, end_ns, range(place, place + len(launched)), kind, for_all=False))
            place += len(launched)
        calls.sort(key=lambda call: (call.start_ns, not call.ops))
        # all that these calls and the code around them can cover: of a long trace that is a small part
        first_ns = min(window["start_ns"], calls[0].start_ns)
        last_ns = max(window["end_ns"], *(call.end_ns for call in calls))
        spent: dict[str, list[Interval]] = {}
        for row in trace.facts(f"SELECT * FROM replay_removals WHERE end_ns > {first_ns} AND start_ns < {last_ns}"):
            spent.setdefault(row["cause"], []).append((row["start_ns"], row["end_ns"]))
        return cls(
            window["start_ns"],
            window["end_ns"],
            window["steps"],
            window["whole"] and ops[0].launch_start_ns >= window["start_ns"],
            calls,
            ops,
            spent,
        )

    def cut(self, start_ns: int, end_ns: int, steps: int) -> "Timeline":
        """What starts in a part of it, which is so many steps long."""
        kept = [place for place, op in enumerate(self.ops) if start_ns <= op.start_ns < end_ns]
        places = {place: new for new, place in enumerate(kept)}
        ops = [self.ops[place] for place in kept]
        calls = []
        for call in self.calls:
            own = [places[place] for place in call.ops if place in places]
            if own:
                calls.append(call._replace(ops=range(own[0], own[-1] + 1)))
            elif not call.ops and call.end_ns > start_ns and call.start_ns < end_ns:
                calls.append(call)
        from_start = bool(ops) and ops[0].launch_start_ns >= start_ns
        return Timeline(start_ns, end_ns, steps, from_start, calls, ops, self.spent)
