"""Notes: what the traces of a job cannot tell, and how to capture ones that can."""

from collections.abc import Sequence
from pathlib import Path

from gapfinder.diagnosis.damage import REMEDY
from gapfinder.job.match import Alignment
from gapfinder.job.predict import JobPredictions
from gapfinder.job.rank import Rank
from gapfinder.replay.ranges import MAX_ERROR
from gapfinder.units import clean, duration, percent

MAX_CLOCKS_APART_NS = 200_000  # of ranks in one recording: by the ends of their collectives, 20 us at most in 15 of them


def notes(ranks: Sequence[Rank], alignment: Alignment, predictions: JobPredictions, incomplete: str | None) -> list[str]:
    """One sentence for each thing that the traces cannot tell. A note that several traces have is given once."""
    result = []
    if alignment.unmatched:
        ranks_text = ", ".join(map(str, alignment.unmatched))
        result.append(f"Ranks that share no collective with another rank, so their waiting is unknown: {ranks_text}.")
    if incomplete:
        result.append(
            "A trace is damaged or of another job, or its ranks communicate in groups that it does not tell apart, so the "
            "verdict is not certain: copy it again, leave it out, or give the .nsys-rep file."
        )
    if alignment.by == "order":
        result.append(
            "Collectives were matched by kind, order and time, and their sizes and bandwidth are unknown: "
            "give the .nsys-rep files, or exports that keep them (flags of nsys: `gapfinder guide capture`)."
        )
    if any(rank.started_ns is None for rank in ranks) and len({rank.trace for rank in ranks}) > 1:
        result.append("A trace does not say when its session began: its clock is aligned by its collectives alone.")
    if predictions.error is None:
        result.append(
            "No predictions: the ranks' windows share fewer than two steps or hold more activities than can be replayed, "
            "or a process uses several GPUs."
        )
    elif abs(predictions.error) > MAX_ERROR:
        result.append(
            f"No predictions: the unchanged replay differs by {percent(abs(predictions.error))} from the measured step."
        )
    own = (
        _named(note, rank, ranks) if note in rank.diagnosis.damage else note
        for rank in ranks
        for note in rank.diagnosis.notes
        if note not in rank.diagnosis.rank_notes
    )
    return result + list(dict.fromkeys(own))


def damage(ranks: Sequence[Rank]) -> list[str]:
    """The notes that speak of lost or wrong rows."""
    return list(dict.fromkeys(_named(note, rank, ranks) for rank in ranks for note in rank.diagnosis.damage))


def clocks_apart(ranks: Sequence[Rank], alignment: Alignment) -> list[str]:
    """The notes on damage where the ranks of one recording, which have one clock, do not end their collectives together."""
    found = []
    for trace in dict.fromkeys(rank.trace for rank in ranks):
        inside = [rank for rank in ranks if rank.trace == trace and rank.number in alignment.clocks]
        inside.sort(key=lambda rank: alignment.clocks[rank.number].offset_ns)
        first, last = inside[0], inside[-1]
        apart_ns = alignment.clocks[last.number].offset_ns - alignment.clocks[first.number].offset_ns
        if apart_ns > MAX_CLOCKS_APART_NS:
            note = (
                f"Impossible times: collectives end {duration(apart_ns)} earlier on GPU {last.gpu} than on GPU {first.gpu}, and "
                f"both have one clock. The trace is damaged: {REMEDY}."
            )
            found.append(_named(note, first, ranks))
    return found


def _named(note: str, rank: Rank, ranks: Sequence[Rank]) -> str:
    """With the name of the rank's trace, where there are several."""
    return note if all(other.trace == rank.trace for other in ranks) else f"{clean(Path(rank.trace).name)}: {note}"
