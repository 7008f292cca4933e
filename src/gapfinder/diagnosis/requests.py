"""The requests that a program served, and the tokens that it generated, as data and as sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.units import amount, clean, count, duration, percent

if TYPE_CHECKING:
    from gapfinder.diagnosis.window import DiagnosedWindow
    from gapfinder.trace import OpenTrace

MIN_SHARE = 0.01  # of the time of a request; smaller losses are not mentioned


@dataclass(frozen=True)
class Requests:
    """The requests that a program answered in the window. Times are in ns, from the arrival of a request to its answer.

    A mean request waits for `queued_ns` for requests before it. Then the server is busy with it for `busy_ns`: `compute_ns`
    plus the lost times in `causes`, as the mean of the GPUs. `busy_share` is the share of the time in which the server was busy
    with a request. Like `per_second` it is of the time from the answer before the first request to the last answer. At
    `saturated_per_second` requests per second, 1 / `busy_ns`, it would be 1. Of several `processes` that serve, all this is of
    the one that answers most.
    """

    requests: int
    median_ns: int
    p99_ns: int
    mean_ns: int
    queued_ns: int
    busy_ns: int
    compute_ns: int
    causes: dict[str, int]
    busy_share: float
    per_second: float
    saturated_per_second: float
    processes: int

    def without(self, cause: DiagnosedCause, window: "DiagnosedWindow") -> float | None:
        """How long the server would be busy with a request without a cause, by the replay, ns; None if nothing was predicted."""
        if cause.predicted_step_ns is None:
            return None
        return max(self.compute_ns, self.busy_ns - self.saved_ns(cause, window.step_ns - cause.predicted_step_ns, window))

    def saved_ns(self, cause: DiagnosedCause, step_ns: float, window: "DiagnosedWindow") -> float:
        """How much less the server is busy with a request if without a cause a step is `step_ns` shorter.

        That is saved in requests and beside them, as the cause costs there: the first requests may have come before the trace.
        """
        lost_ns = cause.share * window.length_ns / self.requests
        in_requests = min(1.0, self.causes.get(cause.cause, 0) / lost_ns) if lost_ns else 1.0
        return in_requests * step_ns * window.in_steps / self.requests

    def busy_if(self, step_ns: float, window: "DiagnosedWindow") -> float:
        """How long the server would be busy with a request if a step of the window took `step_ns`, and at least computes, ns."""
        return max(self.compute_ns, self.busy_ns - (window.step_ns - step_ns) * window.in_steps / self.requests)


@dataclass(frozen=True)
class Tokens:
    """The tokens of a decode loop: each step of the window generates the next one of every sequence in the batch.

    `kernel` is a kernel that takes longer from token to token, because it reads the tokens before. `growth` is how much longer it
    takes at the end of the window than at its start, as a share of its mean time.
    """

    tokens: int
    token_ns: float
    per_second: float
    kernel: str
    growth: float


def requests_of(trace: "OpenTrace") -> Requests | None:
    """The requests of a trace; None if the program is not a server."""
    rows = trace.id_rows("SELECT * FROM request_summary")
    if not rows:
        return None
    ((gpus,),) = trace.tuples("SELECT count(*) FROM request_gpus")
    requests = rows[0]["requests"]
    causes = {
        cause: round(lost_ns / requests / gpus)
        for cause, lost_ns in trace.tuples(
            "SELECT cause, sum(lost_ns) AS lost_ns FROM request_ledger GROUP BY cause ORDER BY lost_ns DESC, cause"
        )
    }
    return Requests(**rows[0], compute_ns=max(0, rows[0]["busy_ns"] - sum(causes.values())), causes=causes)


def tokens_of(trace: "OpenTrace", window: "DiagnosedWindow") -> Tokens | None:
    """The tokens of a trace; None if its steps generate none."""
    rows = trace.id_rows("SELECT * FROM decode_loop")
    if not rows:
        return None
    return Tokens(rows[0]["tokens"], window.step_ns, 1e9 / window.step_ns, clean(rows[0]["kernel"]), rows[0]["growth"])


def sentences(
    requests: Requests | None, tokens: Tokens | None, causes: list[DiagnosedCause], window: "DiagnosedWindow"
) -> Iterator[str]:
    """Sentences about the requests and the tokens, for all renderers; none if there are neither."""
    if requests:
        yield from _of_requests(requests, causes, window)
    if tokens:
        each = f"Each step generates one token of a sequence: {tokens.kernel} takes {percent(tokens.growth)} longer at the end"
        yield f"{each}. That is {count(tokens.per_second, 'token')} a second for each sequence{_faster(causes, window)}."


def _of_requests(requests: Requests, causes: list[DiagnosedCause], window: "DiagnosedWindow") -> Iterator[str]:
    who = "The program" if requests.processes == 1 else f"One of {requests.processes} processes that serve"
    answered = f"{who} answered {count(requests.requests, 'request')}, {amount(requests.per_second)} a second"
    yield f"{answered}. One takes {duration(requests.median_ns)} (median), and 99 % take at most {duration(requests.p99_ns)}."
    lost = [(cause, ns) for cause, ns in requests.causes.items() if ns >= MIN_SHARE * requests.busy_ns]
    parts = [
        f"{duration(ns)} are lost to {cause}" if not place else f"{duration(ns)} to {cause}"
        for place, (cause, ns) in enumerate(lost)
    ]
    queued = f"it waits {duration(requests.queued_ns)} for the requests before it, " if requests.queued_ns else ""
    yield (
        f"Of the {duration(requests.mean_ns)} of a mean request {queued}the GPU computes for {duration(requests.compute_ns)}"
        f"{', and ' if parts else ''}{', '.join(parts)}."
    )
    server = "The server" if requests.processes == 1 else "It"
    yield (
        f"{server} is busy for {percent(requests.busy_share)} of the time, {duration(requests.busy_ns)} with each request. "
        f"So it is saturated at {count(requests.saturated_per_second, 'request')} a second (1 / {duration(requests.busy_ns)})"
        f"{_more(requests, causes, window)}."
    )


def _more(requests: Requests, causes: list[DiagnosedCause], window: "DiagnosedWindow") -> str:
    """The load at which the server would be saturated without the first cause."""
    first = next((cause for cause in causes if cause.is_finding), None)
    without_ns = requests.without(first, window) if first else None
    return f", without {first.cause} at about {amount(1e9 / without_ns)}" if first and without_ns else ""


def _faster(causes: list[DiagnosedCause], window: "DiagnosedWindow") -> str:
    first = next((cause for cause in causes if cause.is_finding), None)
    if window.unit != "token" or first is None or not first.predicted_step_ns:
        return ""
    return f", and about {amount(1e9 / first.predicted_step_ns)} without {first.cause}"
