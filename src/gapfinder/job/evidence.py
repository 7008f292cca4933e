"""What lets a reader check the verdict on a job in Nsight's own timeline, and what to change."""

import re
from collections.abc import Sequence

from gapfinder.diagnosis.finding import Evidence, Finding
from gapfinder.diagnosis.job import COMMUNICATION, PIPELINE_BUBBLE, RANK_IMBALANCE, LateRank, RankLedger
from gapfinder.job.patterns import TENSOR
from gapfinder.job.rank import Rank
from gapfinder.units import clean, duration, percent, shortened

MOST = 6
NAME_CHARS = 40
LONGER = 1.05  # kernels of the same work on two GPUs of one kind differ by less (straggler_rank0 and 1: 3.5 %)


def evidence(verdict: str, late_rank: LateRank | None, ranks: Sequence[Rank], ledgers: Sequence[RankLedger]) -> list[Evidence]:
    """Of a late rank: what the waiting is charged to, and its own trace's evidence; else that of the rank that loses most."""
    if verdict == RANK_IMBALANCE and late_rank:
        rank = _named(ranks, _worst(late_rank))
        charged = (
            Evidence(f"{percent(charge.share)} of the waiting is for rank {charge.rank} in {charge.cause}")
            for charge in late_rank.charges[:3]
        )
        own = _kernels(rank, ranks, ledgers) if late_rank.cause == "compute" else _of(rank, late_rank.cause)
        return [*charged, *own][:MOST]
    losing = max(ledgers, key=lambda ledger: ledger.causes.get(verdict, 0))
    return _of(_named(ranks, losing.rank), verdict)[:MOST] if losing.causes.get(verdict) else []


def fix(verdict: str, late_rank: LateRank | None, ranks: Sequence[Rank], ledgers: Sequence[RankLedger], parallelism: str | None) -> str | None:
    """What to change: for a late rank, what its own trace says of what it does instead."""
    if verdict == PIPELINE_BUBBLE:
        return _pipeline(ledgers)
    if verdict == COMMUNICATION and parallelism == TENSOR:
        return (
            "Keep the ranks of a layer on GPUs that NVLink joins, send fewer bytes (bf16, sequence parallel), "
            "or split the batch in two so that one half computes while the other is summed up."
        )
    if verdict == RANK_IMBALANCE and late_rank:
        where = f"On rank {late_rank.rank}: " if late_rank.rank is not None else "On whichever rank is late: "
        if late_rank.cause == "compute":
            return (
                f"{where}give every rank the same number of tokens or samples, pad or bucket by length; where kernels of "
                "the same work take longer, look at that GPU's clocks, power and temperature (nvidia-smi -q -d PERFORMANCE)."
            )
        found = _cause(_named(ranks, _worst(late_rank)), late_rank.cause)
        return where + found.fix if found and found.fix else None
    losing = max(ledgers, key=lambda ledger: ledger.causes.get(verdict, 0))
    found = _cause(_named(ranks, losing.rank), verdict)
    return found.fix if found else None


def _worst(late_rank: LateRank) -> int:
    """The rank whose evidence is told."""
    return late_rank.rank if late_rank.rank is not None else next(charge.rank for charge in late_rank.charges if charge.cause == late_rank.cause)


def _named(ranks: Sequence[Rank], number: int) -> Rank:
    return next(rank for rank in ranks if rank.number == number)


def _cause(rank: Rank, cause: str) -> Finding | None:
    return next((found for found in rank.diagnosis.causes if found.cause == cause), None)


def _of(rank: Rank, cause: str) -> list[Evidence]:
    """What the rank's trace says; of a trace with several GPUs, no places on the others."""
    found = _cause(rank, cause)
    elsewhere = re.compile(rf"GPU (?!{rank.gpu}\b)\d+[, ]")
    facts = [fact for fact in found.evidence if not elsewhere.match(fact.text)] if found else []
    return [
        Evidence(f"rank {rank.number}: {fact.text}", fact.source_line, fact.nvtx, fact.start_ns, fact.end_ns) for fact in facts
    ]


def _kernels(rank: Rank, ranks: Sequence[Rank], ledgers: Sequence[RankLedger]) -> list[Evidence]:
    """Whether it runs more kernels, or longer ones."""
    computed = {ledger.rank: ledger.compute_ns / ledger.window_ns for ledger in ledgers}
    others = [other for other in ranks if other.number != rank.number]
    mean = sum(computed[other.number] for other in others) / len(others)
    facts = [f"rank {rank.number} computes {percent(computed[rank.number])} of the time, the others {percent(mean)}"]
    shared = [name for name in rank.kernels if all(name in other.kernels for other in others)]
    slower = []
    for name in shared:
        own = rank.kernels[name].gpu_ns / rank.kernels[name].times
        usual_ns = sum(other.kernels[name].gpu_ns for other in others) / sum(other.kernels[name].times for other in others)
        if own > LONGER * usual_ns:
            slower.append(
                (
                    rank.kernels[name].gpu_ns,
                    f"{shortened(clean(name), NAME_CHARS)} takes {duration(own)} there, {duration(usual_ns)} on the others",
                )
            )
    facts += [text for _, text in sorted(slower, reverse=True)[:2]]
    times = sum(runs.times for runs in rank.kernels.values()) / rank.diagnosis.window.in_steps
    usual = sum(sum(runs.times for runs in other.kernels.values()) / other.diagnosis.window.in_steps for other in others) / len(
        others
    )
    facts.append(f"it runs {times:.0f} computing kernels a step, the others {usual:.0f}")
    return [Evidence(text) for text in facts]


def _pipeline(ledgers: Sequence[RankLedger]) -> str:
    """Stages of one length leave the schedule's bubble alone, which more micro-batches make smaller."""
    busiest = max(ledgers, key=lambda ledger: ledger.compute_ns / ledger.window_ns)
    least = min(ledgers, key=lambda ledger: ledger.compute_ns / ledger.window_ns)
    high, low = busiest.compute_ns / busiest.window_ns, least.compute_ns / least.window_ns
    more = (
        "Use more micro-batches for each step, or an interleaved schedule: "
        "with p stages and m micro-batches, (p-1)/(m+p-1) is bubble."
    )
    if high > LONGER * low:
        uneven = f"rank {busiest.rank} computes {percent(high)} of the time, rank {least.rank} {percent(low)}"
        return f"Even out the stages: {uneven}. {more}"
    return f"The stages are even (they compute {percent(low)} to {percent(high)} of the time). {more}"
