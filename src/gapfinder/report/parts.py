"""The parts of a timeline that shows several traces: opens one after the other, takes its part, and closes it again."""

from collections.abc import Callable
from pathlib import Path

from gapfinder.comparison.comparison import Comparison
from gapfinder.comparison.words import labels
from gapfinder.diagnosis.job import Job, shown_ranks
from gapfinder.job.paths import expanded
from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.stages import silent
from gapfinder.report.part import Part, part_of, typical_step

FEW_RANKS = 4  # which are seen at once, so that they keep their order
SIDES = 2  # of a comparison
Progress = Callable[[str], None]


def parts_of_job(job: Job, options: Options, config: Config, progress: Progress) -> list[Part]:
    """The parts of the ranks of a job that its page shows, all on the clock of the first rank."""
    offsets = dict(zip((rank.rank for rank in job.ranks), job.alignment.offsets_ns, strict=False))
    shown = shown_ranks(job.ranks, job.late)
    traces: dict[str, dict[int, int]] = {}
    for rank in shown if len(shown) > FEW_RANKS else sorted(shown, key=lambda rank: rank.rank):
        traces.setdefault(rank.trace, {})[rank.gpu] = rank.rank
    parts = []
    for path, ranks in traces.items():
        progress(f"{Path(path).name}: timeline")
        with open_trace(Path(path), options, config, silent) as trace:
            charged = {gpu: job.charged[rank] for gpu, rank in ranks.items()}
            offset_ns = offsets[min(ranks.values())]
            parts.append(part_of(trace, shift_ns=offset_ns, share=1 / len(traces), ranks=ranks, charged=charged))
    return parts


def parts_of_comparison(comparison: Comparison, options: Options, config: Config, progress: Progress) -> list[Part]:
    """The parts of the first and the last trace, of which typical steps start at the same time; none where one is a job."""
    sides = list(zip(labels(comparison), comparison.traces, strict=True))
    parts: list[Part] = []
    for label, traced in (sides[0], sides[-1]):
        path = traced.trace
        if len(expanded(Path(path))) > 1:
            return []
        progress(f"{Path(path).name}: timeline")
        with open_trace(Path(path), options, config, silent) as trace:
            zero_ns, _ = typical_step(trace)
            parts.append(part_of(trace, label=label, shift_ns=-zero_ns, share=1 / SIDES))
    return parts
