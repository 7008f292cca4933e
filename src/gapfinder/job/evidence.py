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
            else _evidence_of(rank, late_rank.cause, ranks, steps, alone=True)
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


def _evidence_of(rank: Rank, cause: str, ranks: Sequence[Rank], steps: int, *, alone: bool = False) -> list[Evidence]:
    """The evidence of the rank's trace for a cause, without evidence on other GPUs of that trace.

    Where ranks have traces of their own, its means are of the steps of its trace, which may be more than those of the job. Where
    they share one, what names no GPU is of all of them, and left out if the rank is to be `alone`: then all is of that rank, and
    part of what it loses to the cause, which is said first.
    """
    own = _cause(rank, cause)
    if own is None:
        return []
    shares_trace = any(other.trace == rank.trace for other in ranks if other is not rank)
    if alone and rank.evidence is not None:
        facts = list(rank.evidence.get(cause, []))
    else:
        gpus = (rank.gpu,) if alone and shares_trace else (None, rank.gpu)
        facts = [fact for fact in own.evidence if fact.gpu in gpus]
    window = rank.diagnosis.window
    device = next((device for device in rank.diagnosis.devices if device.gpu == rank.gpu), None)
    of_trace = None if alone and shares_trace else own.share  # the row of a trace in a fleet does not tell its GPUs apart
    lost_share = device.causes.get(cause, 0) / device.window_ns if alone and device else of_trace
    if facts and lost_share is not None:
        lost = f"{window.each(duration(lost_share * window.step_ns))} are lost to {cause}"
        if rank.has_steps and window.steps != steps and any(other.trace != rank.trace for other in ranks):
            own_steps = f"its own trace has {count(window.steps, window.unit)} of {duration(window.step_ns)}"
            facts.insert(0, Evidence(f"{own_steps}: {lost}"))
        elif alone:
            facts.insert(0, Evidence(lost))
    return [fact if shares_trace and not alone and fact.gpu is None else fact.on_rank(rank.number) for fact in facts]


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
