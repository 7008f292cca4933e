"""What the traces of a job cannot tell, and the capture that would."""

from collections.abc import Sequence
from pathlib import Path

from gapfinder.job.match import Alignment
from gapfinder.job.predict import JobPredictions
from gapfinder.job.rank import Rank
from gapfinder.replay.predict import MAX_ERROR
from gapfinder.units import clean, percent

OF_ONE_RANK = "This report holds one rank"  # what a trace alone says, and a job answers


def notes(ranks: Sequence[Rank], matched: Alignment, predictions: JobPredictions, silent: Sequence[str]) -> list[str]:
    """One sentence for each; those of single traces once for all."""
    found = [f"Nothing communicates in the window of {clean(Path(trace).name)}: it is left out." for trace in silent]
    if matched.unmatched:
        names = ", ".join(map(str, matched.unmatched))
        found.append(f"Rank {names} shares no collective with another one: how long it waits is unknown.")
    if matched.by == "order":
        found.append(
            "Collectives were matched by kind, order and time, and their sizes and bandwidth are unknown: "
            "communicators and sizes are in an export only with --include-blobs=true, where NCCL's NVTX ranges were traced."
        )
    if any(rank.started_ns is None for rank in ranks) and len({rank.trace for rank in ranks}) > 1:
        found.append("A trace does not say when its session began: its clock is told by its collectives alone.")
    if predictions.error is None:
        found.append("No predictions: the ranks' windows hold no two steps in common, or more activities than are replayed.")
    elif abs(predictions.error) > MAX_ERROR:
        found.append(f"No predictions: a replay of the unchanged job is {percent(abs(predictions.error))} off the measured step.")
    own = (note for rank in ranks for note in rank.diagnosis.notes)
    return found + [note for note in dict.fromkeys(own) if not note.startswith((OF_ONE_RANK, "Tracing slows", "No predictions"))]
