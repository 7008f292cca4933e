"""The evidence for the verdict on a job, which a reader can check in Nsight's timeline, and the fix."""

from collections.abc import Sequence

from gapfinder.diagnosis.cause import DiagnosedCause, Evidence
from gapfinder.diagnosis.job import COMMUNICATION, PIPELINE_BUBBLE, RANK_IMBALANCE, LateRank, RankLedger
from gapfinder.job.patterns import TENSOR
from gapfinder.job.rank import Rank
from gapfinder.pipeline.causes import built_in
from gapfinder.units import clean, count, duration, percent, shortened

MAX_EVIDENCE = 6
NAME_CHARS = 40
MIN_RATIO = 1.05  # equal work on two GPUs of one kind differs by less (kernels of straggler_rank0 and straggler_rank1: 3.5 %)


def evidence(
    verdict: str, late_rank: LateRank | None, ranks: Sequence[Rank], ledgers: Sequence[RankLedger], steps: int
) -> list[Evidence]:
    """For a late rank, the charges of the waiting and the evidence for what it does; else that of the rank that loses most.

    `steps` is the number of steps of the job.
    """
    if verdict == RANK_IMBALANCE and late_rank:
        rank = _rank(ranks, late_rank.shown_rank)
        charges = (
            Evidence(f"{percent(charge.share)} of the waiting is for rank {charge.rank} in {charge.cause}")
            for charge in late_rank.charges[:3]
        )
        own = (
            _kernels(rank, ranks, ledgers)
            if late_rank.cause == "compute"
            else _evidence_of_late(rank, late_rank.cause, ranks, steps)
        )
        return [*charges, *own][:MAX_EVIDENCE]
    losing = max(ledgers, key=lambda ledger: ledger.causes.get(verdict, 0))
    return _evidence_of(_rank(ranks, losing.rank), verdict, ranks, steps)[:MAX_EVIDENCE] if losing.causes.get(verdict) else []


def fix(
    verdict: str, late_rank: LateRank | None, ranks: Sequence[Rank], ledgers: Sequence[RankLedger], parallelism: str | None
) -> str | None:
    """What to change. For a late rank, it is the fix that its own trace gives for what it does instead."""
    if verdict == PIPELINE_BUBBLE:
        return _pipeline(ledgers)
    if verdict == COMMUNICATION and parallelism == TENSOR:
        return (
            "Keep the ranks of a layer on GPUs that NVLink joins, send fewer bytes (bf16, sequence parallel), "
            "or split the batch in two so that one half computes while the other is reduced."
        )
    if verdict == RANK_IMBALANCE and late_rank:
        where = f"On rank {late_rank.rank}: " if late_rank.rank is not None else "On whichever rank is late: "
        if late_rank.cause == "compute":
            return (
                f"{where}give every rank the same number of tokens or samples, pad or bucket by length; where kernels of "
                "the same work take longer, look at that GPU's clocks, power and temperature (nvidia-smi -q -d PERFORMANCE)."
            )
        own = _cause(_rank(ranks, late_rank.shown_rank), late_rank.cause)
        return where + own.fix if own and own.fix else None
    losing = max(ledgers, key=lambda ledger: ledger.causes.get(verdict, 0))
    own = _cause(_rank(ranks, losing.rank), verdict)
    return own.fix if own else None


def _rank(ranks: Sequence[Rank], number: int) -> Rank:
    return next(rank for rank in ranks if rank.number == number)


def _cause(rank: Rank, cause: str) -> DiagnosedCause | None:
    return next((own for own in rank.diagnosis.causes if own.cause == cause), None)


def _evidence_of(rank: Rank, cause: str, ranks: Sequence[Rank], steps: int) -> list[Evidence]:
    """The evidence of the rank's trace for a cause, without evidence on other GPUs of that trace.

    Where ranks have traces of their own, its means are of the steps of its trace, which may be more than those of the job. Where
    they share one, what names no GPU is of all of them.
    """
    own = _cause(rank, cause)
    if own is None:
        return []
    facts = [fact for fact in own.evidence if fact.gpu in (None, rank.gpu)]
    if facts and _has_own_steps(rank, ranks, steps):
        facts.insert(0, _loss(rank, cause, own.share, ranks, steps))
    shares_trace = _shares_trace(rank, ranks)
    return [fact if shares_trace and fact.gpu is None else fact.on_rank(rank.number) for fact in facts]


def _evidence_of_late(rank: Rank, cause: str, ranks: Sequence[Rank], steps: int) -> list[Evidence]:
    """The evidence for what the late rank does. All of it is of that rank, and part of what it loses to the cause: the first.

    Where ranks share a trace, what is known only of all of them is left out.
    """
    own = _cause(rank, cause)
    if own is None:
        return []
    shares_trace = _shares_trace(rank, ranks)
    facts = [fact for fact in own.evidence if fact.gpu == rank.gpu or (fact.gpu is None and not shares_trace)]
    if rank.evidence is not None:
        facts = list(rank.evidence.get(cause, []))
    device = next((device for device in rank.diagnosis.devices if device.gpu == rank.gpu), None)
    share = None if shares_trace else own.share  # the row of a trace in a fleet does not tell its GPUs apart
    if device:
        share = device.causes.get(cause, 0) / device.window_ns
    if facts and share is not None:
        facts.insert(0, _loss(rank, cause, share, ranks, steps))
    return [fact.on_rank(rank.number) for fact in facts]


def _shares_trace(rank: Rank, ranks: Sequence[Rank]) -> bool:
    return any(other.trace == rank.trace for other in ranks if other is not rank)


def _has_own_steps(rank: Rank, ranks: Sequence[Rank], steps: int) -> bool:
    """Whether the trace of the rank has other steps than the job."""
    return rank.has_steps and rank.diagnosis.window.steps != steps and any(other.trace != rank.trace for other in ranks)


def _loss(rank: Rank, cause: str, share: float, ranks: Sequence[Rank], steps: int) -> Evidence:
    """What the rank loses to a cause in each step of its trace; and which steps these are, if the job has others."""
    window = rank.diagnosis.window
    lost = f"{window.each(duration(share * window.step_ns))} are lost to {cause}"
    if not _has_own_steps(rank, ranks, steps):
        return Evidence(lost)
    return Evidence(f"its own trace has {count(window.steps, window.unit)} of {duration(window.step_ns)}: {lost}")


def _kernels(rank: Rank, ranks: Sequence[Rank], ledgers: Sequence[RankLedger]) -> list[Evidence]:
    """Evidence that a rank computes more: its share of compute, its slower kernels, and its number of kernels."""
    computed = {ledger.rank: ledger.compute_share for ledger in ledgers}
    others = [other for other in ranks if other.number in computed and other.number != rank.number]
    mean = sum(computed[other.number] for other in others) / len(others)
    facts = [f"rank {rank.number} computes {percent(computed[rank.number])} of the time, the others {percent(mean)}"]
    shared = [name for name in rank.kernels if all(name in other.kernels for other in others)]
    slower = []
    for name in shared:
        own_ns = rank.kernels[name].gpu_ns / rank.kernels[name].times
        usual_ns = sum(other.kernels[name].gpu_ns for other in others) / sum(other.kernels[name].times for other in others)
        if own_ns > MIN_RATIO * usual_ns:
            slower.append(
                (
                    rank.kernels[name].gpu_ns,
                    f"{shortened(clean(name), NAME_CHARS)} takes {duration(own_ns)} there, {duration(usual_ns)} on the others",
                )
            )
    facts += [text for _, text in sorted(slower, reverse=True)[:2]]
    times = sum(runs.times for runs in rank.kernels.values()) / rank.diagnosis.window.in_steps
    usual = sum(sum(runs.times for runs in other.kernels.values()) / other.diagnosis.window.in_steps for other in others) / len(
        others
    )
    if round(times) != round(usual):
        facts.append(f"it runs {times:.0f} computing kernels a step, the others {usual:.0f}")
    return [Evidence(text) for text in facts]


def _pipeline(ledgers: Sequence[RankLedger]) -> str:
    """The fix for a pipeline bubble. If the stages compute for unequal times, even them out first."""
    busiest = max(ledgers, key=lambda ledger: ledger.compute_share)
    least = min(ledgers, key=lambda ledger: ledger.compute_share)
    high, low = busiest.compute_share, least.compute_share
    more = built_in()[PIPELINE_BUBBLE].usual_fix
    if high > MIN_RATIO * low:
        uneven = f"rank {busiest.rank} computes {percent(high)} of the time, rank {least.rank} {percent(low)}"
        return f"Even out the stages: {uneven}. {more}"
    return f"The stages are even (they compute {percent(low)} to {percent(high)} of the time). {more}"
