"""Diagnoses a job whose ranks were read."""

from collections.abc import Mapping, Sequence

from gapfinder.diagnosis.finding import GPU_BOUND
from gapfinder.diagnosis.job import RANK_IMBALANCE, AlignmentQuality, Job, JobFinding, LateRank, RankLedger
from gapfinder.job.blame import blame, excesses, late, waits
from gapfinder.job.database import JobDatabase
from gapfinder.job.evidence import evidence, fix
from gapfinder.job.headline import headline
from gapfinder.job.match import Alignment, align
from gapfinder.job.notes import notes
from gapfinder.job.patterns import by_design, pattern
from gapfinder.job.predict import JobPredictions, predict
from gapfinder.job.rank import Rank
from gapfinder.job.transfers import streams, transfers
from gapfinder.pipeline.causes import CauseSpec


def diagnose(ranks: Sequence[Rank], job: JobDatabase, specs: Mapping[str, CauseSpec], silent: Sequence[str] = ()) -> Job | None:
    """The diagnosis of a job whose ranks' rows are in its database; None where no two ranks share a collective.

    `silent` are traces in which nothing communicates.
    """
    if len(ranks) < 2:
        return None
    matched = align(ranks)
    if not matched.members:
        return None
    job.join(ranks, matched)
    span = job.rows("SELECT count(DISTINCT step) AS steps, max(ref_to_ns) - min(ref_from_ns) AS window_ns FROM bounds")[0]
    if not span["steps"]:
        return None
    step_ns = span["window_ns"] / span["steps"]
    ledgers = _ledgers(ranks, job)
    by_step = blame(job)
    late_rank = late(job, by_step, step_ns, span["steps"], specs[RANK_IMBALANCE].finding_share)
    parallelism = pattern(job)
    predictions = predict(ranks, matched, ledgers, late_rank, step_ns, by_design(parallelism, specs))
    causes = _causes(ledgers, specs, predictions, parallelism)
    verdict = _verdict(causes, late_rank, ledgers, specs, excesses(job, [rank.number for rank in ranks]))
    facts = evidence(verdict, late_rank, ranks, ledgers)
    line = next((fact.source_line for fact in facts if fact.source_line), None)
    return Job(
        traces=list(dict.fromkeys(rank.trace for rank in ranks)),
        verdict=verdict,
        headline=headline(verdict, causes, late_rank, ledgers, step_ns, predictions, parallelism, specs, line),
        late=late_rank,
        waits=waits(job, by_step),
        window_ns=span["window_ns"],
        steps=span["steps"],
        step_ns=step_ns,
        step_lengths_ns=[row["ns"] for row in job.rows("SELECT * FROM step_lengths")],
        has_steps=bool(ranks[0].whole_steps),
        ranks=ledgers,
        causes=causes,
        evidence=facts,
        fix=fix(verdict, late_rank, ranks, ledgers, parallelism),
        predicted_step_ns=predictions.of(verdict),
        replay_error=predictions.error,
        alignment=_alignment(matched, ranks),
        transfers=transfers(matched),
        streams=streams(job, ranks),
        pattern=parallelism,
        notes=notes(ranks, matched, predictions, silent),
    )


def _ledgers(ranks: Sequence[Rank], job: JobDatabase) -> list[RankLedger]:
    lost: dict[int, dict[str, int]] = {rank.number: {} for rank in ranks}
    for row in job.rows("SELECT * FROM rank_totals"):
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
) -> list[JobFinding]:
    window_ns = sum(ledger.window_ns for ledger in ledgers)
    lost = {cause: sum(ledger.causes.get(cause, 0) for ledger in ledgers) for ledger in ledgers for cause in ledger.causes}
    found = [
        JobFinding(
            cause=cause,
            lost_ns=ns,
            share=ns / window_ns,
            is_finding=ns / window_ns >= specs[cause].finding_gain,
            by_design=cause in by_design(parallelism, specs),
            meaning=specs[cause].meaning,
            fix=specs[cause].usual_fix or None,
            predicted_step_ns=predictions.of(cause),
        )
        for cause, ns in lost.items()
    ]
    return sorted(found, key=lambda cause: (-cause.lost_ns, cause.cause))


def _verdict(
    causes: Sequence[JobFinding],
    late_rank: LateRank | None,
    ledgers: Sequence[RankLedger],
    specs: Mapping[str, CauseSpec],
    own: Mapping[int, Mapping[str, int]],
) -> str:
    """The cause that costs the job most. What a late rank alone spends shows as the others' waiting, and counts there only.

    What is so by design is a verdict only where nothing else is.
    """
    window_ns = sum(ledger.window_ns for ledger in ledgers)
    alone = {cause: sum(lost.get(cause, 0) for lost in own.values()) for lost in own.values() for cause in lost}
    costs = {cause.cause: cause.share - alone.get(cause.cause, 0) / window_ns for cause in causes}
    costs[RANK_IMBALANCE] = late_rank.share if late_rank else 0.0
    designed = {cause.cause for cause in causes if cause.by_design}
    findings = {cause: cost for cause, cost in costs.items() if cost >= specs[cause].finding_gain}
    return max(findings, key=lambda cause: (cause not in designed, findings[cause]), default=GPU_BOUND)


def _alignment(matched: Alignment, ranks: Sequence[Rank]) -> AlignmentQuality:
    return AlignmentQuality(
        by=matched.by,
        residual_ns=matched.residual_ns,
        worst_ns=matched.worst_ns,
        matched=len(matched.members),
        collectives=sum(len(rank.collectives) for rank in ranks),
        offsets_ns=[round(matched.clocks[rank.number].offset_ns) for rank in ranks],
    )
