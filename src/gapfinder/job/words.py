"""How the parts of a job's diagnosis are put in words, in text and in Markdown. Names are clean, and not yet escaped."""

from pathlib import Path

from gapfinder.diagnosis.job import COMMUNICATION, RANK_IMBALANCE, Job, LateRank, RankLedger, RankStreams, Transfer
from gapfinder.units import clean, count, duration, percent, size

UNKNOWN = "unknown"
SHOWN_CAUSES = 3  # of a rank
SHOWN_SHARE = 0.001


def subject(job: Job) -> str:
    """The ranks, their GPUs and the steps."""
    gpus = ", ".join(sorted({clean(rank.gpu_name) for rank in job.ranks}))
    files = count(len(job.traces), "trace")
    steps = (
        f"{count(job.steps, 'step')} of {duration(job.step_ns)}"
        if job.has_steps
        else f"no steps, {duration(job.window_ns)} in all"
    )
    return f"job of {count(len(job.ranks), 'rank')} in {files}: {len(job.ranks)} x {gpus}, {steps}"


def name(rank: RankLedger) -> str:
    """What to call a rank: its number, file and GPU."""
    return f"rank {rank.rank}: {clean(Path(rank.trace).name)}, GPU {rank.gpu}"


def alignment(job: Job) -> str:
    """How well the clocks and the collectives fit."""
    found = job.alignment
    by = "their communicators" if found.by == "communicator" else "kind, order and time"
    matched = f"{found.matched:,} of {found.collectives:,} communication activities matched by {by}"
    if found.residual_ns is None or found.worst_ns is None:
        return f"{matched}."
    return (
        f"{matched}; with the clocks aligned, a collective ends on two ranks within {duration(found.residual_ns)} "
        f"(median; {duration(found.worst_ns)} at the most)."
    )


def ledger(rank: RankLedger, steps: int) -> str:
    """A rank's ledger in a line."""
    return f"{name(rank)}: computes {percent(rank.compute_ns / rank.window_ns)}, loses {losses(rank, steps)} a step"


def losses(rank: RankLedger, steps: int) -> str:
    """What a rank loses to the causes that cost it most, per step."""
    most = sorted(rank.causes.items(), key=lambda row: -row[1])[:SHOWN_CAUSES]
    return (
        ", ".join(f"{duration(ns / steps)} to {cause}" for cause, ns in most if ns >= SHOWN_SHARE * rank.window_ns) or "nothing"
    )


def prediction(job: Job) -> str | None:
    """What the step would take with the verdict mended."""
    if job.predicted_step_ns is None or job.replay_error is None:
        return None
    hides = job.verdict == COMMUNICATION
    mended = "with all of it behind compute" if hides else "without it"
    more = "; sending less wins more, since compute is slower while data moves beside it" if hides else ""
    return (
        f"{mended} the job's step takes about {duration(job.predicted_step_ns)}, by a replay across the ranks "
        f"(unchanged it is {percent(abs(job.replay_error))} off){more}"
    )


def late(job: Job) -> str | None:
    """Whether it is always the same rank."""
    return always(job.late) if job.late and job.verdict == RANK_IMBALANCE else None


def always(late: LateRank) -> str:
    """The same of a job that may have another verdict."""
    told = ", ".join(f"rank {rank} in {times}" for rank, times in late.steps.items())
    steps = f"the last in {count(late.of_steps, 'step')}: {told}"
    if late.rank is None:
        return f"It is not always the same rank, which speaks for jitter and against a slow host ({steps})."
    often = "always" if late.steps.get(late.rank) == late.of_steps else "mostly"
    return f"It is {often} the same rank, which speaks for its work or its host, and against jitter ({steps})."


def transfer(one: Transfer) -> tuple[str, str, str, str, str, str]:
    """Kind, size, times, how long data moves, bandwidth, and share of the best."""
    return (
        one.kind,
        UNKNOWN if one.bytes is None else size(one.bytes),
        f"{one.times:,}",
        duration(one.moving_ns),
        UNKNOWN if one.bus_gb_per_s is None else f"{one.bus_gb_per_s:.1f} GB/s",
        "" if one.share_of_best is None else percent(one.share_of_best),
    )


def streams(job: Job) -> str | None:
    """Whether communication has a stream of its own, and how much of it compute hides."""
    if not job.streams:
        return None
    own = [one for one in job.streams if one.own_stream]
    where = (
        "on a stream of its own"
        if len(own) == len(job.streams)
        else "on the stream that computes, one behind the other"
        if not own
        else f"on a stream of its own on {count(len(own), 'rank')} of {len(job.streams)}"
    )
    return f"NCCL runs {where}; compute hides {_hidden(job.streams)} of the time in which data moves."


def _hidden(found: list[RankStreams]) -> str:
    low, high = (percent(choose(one.hidden_share for one in found)) for choose in (min, max))
    return low if low == high else f"{low} to {high}"
