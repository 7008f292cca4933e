"""The sentences of a job's diagnosis that all renderers share. Names have no control characters, but are not yet escaped."""

from pathlib import Path

from gapfinder.diagnosis.job import COMMUNICATION, RANK_IMBALANCE, Job, LateRank, RankLedger, RankStreams, Transfer
from gapfinder.display import Table
from gapfinder.replay.ranges import MAX_ERROR
from gapfinder.replay.words import unchanged
from gapfinder.units import between, clean, count, duration, percent, size

UNKNOWN = "unknown"
MAX_CAUSES = 3  # shown for each rank
MAX_LATE = 4  # ranks of which the times are named; a sentence with more is read by nobody
MIN_SHARE = 0.001  # of the window; smaller losses are not shown


def subject(job: Job) -> str:
    """The ranks, their GPUs and the steps of the job."""
    gpus = ", ".join(sorted({clean(rank.gpu_name) for rank in job.ranks}))
    files = count(len(job.traces), "trace")
    steps = (
        f"{count(job.steps, 'step')} of {duration(job.step_ns)}"
        if job.has_steps
        else f"no steps, {duration(job.window_ns)} in all"
    )
    return f"job of {count(len(job.ranks), 'rank')} in {files}: {len(job.ranks)} x {gpus}, {steps}"


def name(rank: RankLedger) -> str:
    """The name of a rank: its number, file and GPU."""
    return f"rank {rank.rank}: {clean(Path(rank.trace).name)}, GPU {rank.gpu}"


def alignment(job: Job) -> str:
    """How well the clocks and the collectives were aligned."""
    quality = job.alignment
    by = "their communicators" if quality.by == "communicator" else "kind, order and time"
    matched = f"{quality.matched:,} of {quality.collectives:,} recorded communication activities matched by {by}"
    if quality.residual_ns is None or quality.worst_ns is None:
        return f"{matched}."
    return (
        f"{matched}; with the clocks aligned, a collective ends on two ranks within {duration(quality.residual_ns)} "
        f"(median; {duration(quality.worst_ns)} at most)."
    )


def per_step(job: Job) -> str:
    """What a mean is: `per step`, or `in all` where there are no steps."""
    return "per step" if job.has_steps else "in all"


def ledger(rank: RankLedger, job: Job) -> str:
    """The ledger of a rank in one line."""
    lost = f"loses {losses(rank, job.step_ns)}{' a step' if job.has_steps else ''}"
    return f"{name(rank)}: computes {percent(rank.compute_share)}, {lost}"


def losses(rank: RankLedger, step_ns: float) -> str:
    """The causes that cost a rank the most, per step of `step_ns`."""
    most = sorted(((cause, ns / rank.window_ns) for cause, ns in rank.causes.items()), key=lambda row: -row[1])[:MAX_CAUSES]
    return ", ".join(f"{duration(share * step_ns)} to {cause}" for cause, share in most if share >= MIN_SHARE) or "nothing"


def prediction(job: Job) -> str | None:
    """The predicted step without the verdict's cause; None if nothing was predicted."""
    if job.predicted_range_ns:
        return f"without it the job's step takes {between(*job.predicted_range_ns)}: {why_range(job)}"
    if job.predicted_step_ns is None or job.replay_error is None:
        return None
    overlaps = job.verdict == COMMUNICATION
    condition = "with all of it overlapped by compute" if overlaps else "without it"
    more = "; sending less data wins more, because overlapping communication slows compute" if overlaps else ""
    gain = f"; {job.why_gain}" if job.why_gain and not overlaps else ""
    return (
        f"{condition} the job's step takes about {duration(job.predicted_step_ns)}, by a replay across the ranks "
        f"({unchanged(job.replay_error)}){gain}{more}"
    )


def why_range(job: Job) -> str:
    """Why there is only a range of the step without the verdict's cause."""
    if job.replay_error is not None and abs(job.replay_error) <= MAX_ERROR:
        return "the steps that were replayed across the ranks do not say what it costs in all"
    return "the ranks could not be replayed together, so that nothing says what then takes as long"


def late(job: Job) -> str | None:
    """If the verdict is rank_imbalance: whether it is always the same rank, and what waiting costs; None without steps."""
    if not job.late or job.verdict != RANK_IMBALANCE or not job.has_steps:
        return None
    return f"{always(job.late)} The waiting is that of the rank that waits longest; the ledger has the mean of the ranks."


def always(late: LateRank) -> str:
    """Whether it is always the same rank, whatever the verdict."""
    steps = f"the last in {count(late.of_steps, 'step')} between collectives: {by_rank(late)}"
    if late.rank is None:
        return f"It is not always the same rank, which points to jitter and not to a slow host ({steps})."
    often = "always" if late.steps.get(late.rank) == late.of_steps else "mostly"
    return f"It is {often} the same rank, which points to its work or its host and not to jitter ({steps})."


def by_rank(late: LateRank) -> str:
    """In how many steps each rank was the last; of many, those that were so most often."""
    shown = sorted(late.steps, key=lambda rank: -late.steps[rank])[:MAX_LATE]
    named = [f"rank {rank} in {late.steps[rank]}" for rank in sorted(shown)]
    if others := late.steps.keys() - set(shown):
        named.append(f"{count(len(others), 'other rank')} in {sum(late.steps[rank] for rank in others)}")
    if unwaited := late.of_steps - sum(late.steps.values()):
        named.append(f"no rank in {unwaited}")
    return ", ".join(named)


def transfers(job: Job) -> Table:
    """The collectives by kind and size: how long data moves, and the bandwidth of the bus."""
    return Table(("Collectives", "size", "times", "data moves", "bus", "of the best"), [transfer(one) for one in job.transfers])


def transfer(one: Transfer) -> tuple[str, str, str, str, str, str]:
    """The cells of a row: kind, size, times, how long data moves, bus bandwidth, and its share of the best."""
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
        else "on the stream that computes, one after the other"
        if not own
        else f"on a stream of its own on {count(len(own), 'rank')} of {len(job.streams)}"
    )
    return f"NCCL runs {where}; compute hides {_hidden(job.streams)} of the time in which data moves."


def _hidden(streams: list[RankStreams]) -> str:
    low, high = (percent(choose(one.hidden_share for one in streams)) for choose in (min, max))
    return low if low == high else f"{low} to {high}"
