"""Builds the diagnosis of a job from its ranks and its database."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gapfinder.diagnosis.cause import GPU_BOUND, Verdict
from gapfinder.diagnosis.device import Device, lost_by_cause
from gapfinder.diagnosis.job import (
    RANK_IMBALANCE,
    AlignmentQuality,
    Arrival,
    Charged,
    Job,
    JobCause,
    LateRank,
    RankLedger,
    shown_ranks,
)
from gapfinder.diagnosis.ranking import costs_enough
from gapfinder.job.blame import blame, excesses, find_late_rank, waits
from gapfinder.job.database import JobDatabase
from gapfinder.job.evidence import evidence, fix
from gapfinder.job.headline import headline
from gapfinder.job.match import Alignment, align
from gapfinder.job.missing import why_left_out, why_seldom
from gapfinder.job.notes import clocks_apart, damage, notes
from gapfinder.job.patterns import by_design, pattern
from gapfinder.job.predict import JobPredictions, predict
from gapfinder.job.rank import Rank
from gapfinder.job.reasons import why_first, why_gain
from gapfinder.job.transfers import streams, transfers
from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.replay.predict import FrequentWaits

MAX_ARRIVALS = 2_000  # late ones that are kept for the timeline
# Late ranks are to blame where doing without what they do saves at least this share of what all ranks can save. With tiny models
# (FSDP2, tensor parallelism, DDP on two and four GPUs), in which each rank launches too slowly, it is 3 % to 29 %.
MOST_OF_ALL = 0.5
LEAST_OF_COST = 0.1  # what saves less of what it costs saves nothing: other waiting takes its place


def diagnose(
    ranks: Sequence[Rank],
    database: JobDatabase,
    specs: Mapping[str, CauseSpec],
    no_communication: Sequence[str] = (),
    unusable: Sequence[str] = (),
    mean_step_ns: float | None = None,
    ranges_ns: Mapping[str, tuple[int, int]] | None = None,
    devices: Mapping[int, Device] | None = None,
) -> Job | None:
    """Diagnose a job. The rows of its ranks must be in its database. None if no two ranks share a collective.

    `no_communication` are the traces in which nothing communicates, `unusable` those that cannot be used. `mean_step_ns` is the
    mean time of a step to speak of; by default that of the job's steps, which lie between collectives. `ranges_ns` are the
    shortest and the longest step without a cause, by a replay of one rank; without one, a cause costs nothing or all of its time.
    `devices` are the GPUs of the trace, if one holds all ranks: evidence and fix speak of their ledgers, which are shown.
    """
    if len(ranks) < 2:
        return None
    alignment = align(ranks)
    if not alignment.members:
        return None
    database.join(ranks, alignment)
    lengths = database.rows("SELECT * FROM step_lengths")
    steps, window_ns = len(lengths), sum(row["ns"] for row in lengths)
    if not window_ns:  # no step, or one of no length
        return None
    step_ns = mean_step_ns or window_ns / steps
    ledgers = _ledgers(ranks, database)
    with_ledger = {ledger.rank for ledger in ledgers}
    left_out = why_left_out([rank for rank in ranks if rank.number not in with_ledger], no_communication, unusable)
    windows_ns = sum(rank.diagnosis.window.length_ns for rank in ranks if rank.number in with_ledger)
    seldom = why_seldom(sum(ledger.window_ns for ledger in ledgers), windows_ns)
    doubts = [] if devices else list(dict.fromkeys(rank.diagnosis.doubt for rank in ranks))  # else that of the trace says it
    incomplete = ", and ".join(why for why in (alignment.incomplete, left_out, seldom, *doubts) if why) or None
    by_step = blame(database)
    late_rank = find_late_rank(database, by_step, window_ns, step_ns, specs[RANK_IMBALANCE].finding_share)
    parallelism = pattern(database)
    predictions = predict(ranks, alignment, database, ledgers, late_rank, step_ns, by_design(parallelism, specs))
    causes = _causes(ledgers, specs, predictions, parallelism)
    excess = excesses(database, [rank.number for rank in ranks])
    verdict = first_cause(causes, late_rank, ledgers, specs, excess, predictions.gains(step_ns), predictions.frequent_waits)
    step_range = None
    if predictions.told_ns(verdict) is None and verdict not in {GPU_BOUND, *by_design(parallelism, specs)}:
        step_range = (ranges_ns or {}).get(verdict) or _range(verdict, late_rank, ledgers, step_ns)
    apart = clocks_apart(ranks, alignment)
    shown = [ledger.in_trace(devices or {}) for ledger in ledgers]
    found = Job(
        traces=list(dict.fromkeys(rank.trace for rank in ranks)),
        verdict=Verdict(verdict, ""),
        late=late_rank,
        waits=waits(database, by_step),
        window_ns=window_ns,
        steps=steps,
        step_ns=step_ns,
        step_numbers=[row["step"] for row in lengths],
        step_lengths_ns=[row["ns"] for row in lengths],
        has_steps=ranks[0].has_steps and (mean_step_ns is not None or lengths[0]["is_step"]),
        ranks=ledgers,
        causes=causes,
        evidence=evidence(verdict, late_rank, ranks, shown, steps),
        fix=fix(verdict, late_rank, ranks, shown, parallelism),
        predicted_step_ns=predictions.told_ns(verdict),
        replay_error=predictions.error,
        alignment=_alignment_quality(alignment, ranks),
        transfers=transfers(alignment),
        streams=streams(database, ranks),
        pattern=parallelism,
        incomplete=incomplete,
        notes=[*notes(ranks, alignment, predictions, incomplete), *apart],
        damage=[*damage(ranks), *apart],
        predicted_range_ns=step_range,
        frequent_waits=sorted(predictions.frequent_waits.waits) if predictions.frequent_waits else [],
        arrivals=_arrivals(database),
        charged={rank.rank: _charged(rank.rank, database) for rank in shown_ranks(ledgers, late_rank)},
    )
    return replace(
        found, verdict=Verdict(verdict, headline(found, specs)), why_first=why_first(found, specs), why_gain=why_gain(found)
    )


def _ledgers(ranks: Sequence[Rank], database: JobDatabase) -> list[RankLedger]:
    lost: dict[int, dict[str, int]] = {rank.number: {} for rank in ranks}
    for row in database.rows("SELECT * FROM rank_totals"):
        lost[row["rank"]][row["cause"]] = row["ns"]
    return [
        RankLedger(
            rank=rank.number,
            trace=rank.trace,
            gpu=rank.gpu,
            gpu_name=rank.gpu_name,
            window_ns=sum(lost[rank.number].values()),
            compute_ns=lost[rank.number].pop("compute", 0),
            causes=lost[rank.number],
            verdict=rank.diagnosis.verdict,
        )
        for rank in ranks
        if lost[rank.number]
    ]


def _causes(
    ledgers: Sequence[RankLedger], specs: Mapping[str, CauseSpec], predictions: JobPredictions, parallelism: str | None
) -> list[JobCause]:
    window_ns = sum(ledger.window_ns for ledger in ledgers)
    causes = [
        JobCause(
            cause=cause,
            lost_ns=ns,
            share=ns / window_ns,
            is_finding=costs_enough(specs[cause], ns / window_ns),
            by_design=cause in by_design(parallelism, specs),
            meaning=specs[cause].meaning,
            fix=specs[cause].usual_fix or None,
            predicted_step_ns=predictions.told_ns(cause),
        )
        for cause, ns in lost_by_cause(ledgers).items()
    ]
    return sorted(causes, key=lambda cause: (-cause.lost_ns, cause.cause))


def first_cause(
    causes: Sequence[JobCause],
    late_rank: LateRank | None,
    ledgers: Sequence[RankLedger],
    specs: Mapping[str, CauseSpec],
    excess: Mapping[int, Mapping[str, int]],
    gains: Mapping[str, float],
    frequent: FrequentWaits | None,
) -> str:
    """The cause that costs the job most.

    The time that only a late rank spends (`excess`) makes the others wait, so it counts as their waiting and not as its own
    cause. But where the others hide the same, or more of something else, behind their waiting, they would be late themselves:
    then most is won if all ranks do without it, and causes count with what that saves (`gains`, shares of the step). A cause
    without which the job takes as long is the verdict only if no other cause is a finding, and so is one that the parallelism
    needs (by design). A late rank is one all the same: the others do wait for it. But where it changes, the waiting costs no
    more than is saved if none is late.
    Waits that come too often for graphs (`frequent`) come before what a graph removes, as in `ranked`.
    """
    window_ns = sum(ledger.window_ns for ledger in ledgers)
    excess_ns = {cause: sum(lost.get(cause, 0) for lost in excess.values()) for lost in excess.values() for cause in lost}
    costs = {cause.cause: cause.share - excess_ns.get(cause.cause, 0) / window_ns for cause in causes}
    costs[RANK_IMBALANCE] = late_rank.share if late_rank else 0.0
    if late_rank and late_rank.rank is None:
        costs[RANK_IMBALANCE] = min(late_rank.share, gains.get(RANK_IMBALANCE, late_rank.share))
    if late_rank and {RANK_IMBALANCE, late_rank.cause} <= gains.keys():
        all_lose = [cause.cause for cause in causes if cause.is_finding and not cause.by_design]
        on_all_ranks = max(gains.get(cause, 0.0) for cause in [late_rank.cause, *all_lose])
        if gains[RANK_IMBALANCE] < MOST_OF_ALL * on_all_ranks:
            by_gains = costs | {cause: gains[cause] for cause in costs.keys() & gains.keys()}
            # a replay in which nothing helps does not tell what the job waits for
            costs = by_gains if any(costs_enough(specs[cause], gain) for cause, gain in by_gains.items()) else costs
    designed = {cause.cause for cause in causes if cause.by_design}
    findings = {cause: cost for cause, cost in costs.items() if costs_enough(specs[cause], cost)}
    in_vain = {cause for cause, cost in findings.items() if gains.get(cause, cost) < LEAST_OF_COST * cost} - {RANK_IMBALANCE}
    first = max(findings, key=lambda cause: (cause not in in_vain | designed, findings[cause]), default=GPU_BOUND)
    lost = {cause.cause: cause.lost_ns for cause in causes if cause.cause in {first} | (findings.keys() - in_vain - designed)}
    if frequent and first in lost:
        return next(iter(frequent.before(first, lost)), first)
    return first


def _range(verdict: str, late_rank: LateRank | None, ledgers: Sequence[RankLedger], step_ns: float) -> tuple[int, int]:
    """The step without any of the time that a cause costs the rank that loses most to it, and with all of it.

    Other lost time may go with it. So where the rank that computes most computes for less, that is the shortest.
    """
    shares = [ledger.causes.get(verdict, 0) / ledger.window_ns for ledger in ledgers]
    share = late_rank.share if verdict == RANK_IMBALANCE and late_rank else max(shares)
    computing_share = max(ledger.compute_share for ledger in ledgers)
    return round(min(1 - share, computing_share) * step_ns), round(step_ns)


def _arrivals(database: JobDatabase) -> list[Arrival]:
    rows = database.rows(f"SELECT * FROM late_arrivals LIMIT {MAX_ARRIVALS}")
    return [Arrival(row["rank"], row["first_ns"], row["last_ns"]) for row in rows]


def _charged(rank: int, database: JobDatabase) -> list[Charged]:
    rows = database.rows(f"SELECT * FROM charged_pieces WHERE rank = {rank} ORDER BY start_ns")
    return [Charged(row["start_ns"], row["end_ns"], row["cause"]) for row in rows]


def _alignment_quality(alignment: Alignment, ranks: Sequence[Rank]) -> AlignmentQuality:
    return AlignmentQuality(
        by=alignment.by,
        residual_ns=alignment.residual_ns,
        worst_ns=alignment.worst_ns,
        matched=len(alignment.members),
        collectives=sum(len(rank.collectives) for rank in ranks),
        offsets_ns=[round(alignment.clocks[rank.number].offset_ns) for rank in ranks],
    )
