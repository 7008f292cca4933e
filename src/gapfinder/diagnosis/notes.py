"""Notes: what a trace cannot tell, and how to capture one that can."""

from collections.abc import Sequence

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.job import COMMUNICATION
from gapfinder.diagnosis.regimes import Regime, long_start_up
from gapfinder.diagnosis.requests import Requests
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.errors import recorded_by
from gapfinder.pipeline.cause_spec import UNEXPLAINED, USUAL_SHARE
from gapfinder.replay.predict import Predictions
from gapfinder.replay.ranges import MAX_ERROR
from gapfinder.replay.timeline import has_too_many, most_replayed
from gapfinder.trace import OpenTrace
from gapfinder.units import between, clean, count, duration, percent

MOSTLY_IDLE = 0.5  # of the window: a GPU that is idle for this share is not slowed down by sharing it


# Table, and what is unknown without it; in the order of the notes.
MISSING = (
    (
        "CUPTI_ACTIVITY_KIND_RUNTIME",
        f"no CUDA API calls: who launched what, and why the CPU was late, is unknown. {recorded_by()}.",
    ),
    (
        "OSRT_API",
        f"no OS calls: locks, file reads and waits for other threads look like plain CPU code. {recorded_by()}.",
    ),
    (
        "NVTX_EVENTS",
        "no NVTX ranges: CPU code has no name. See `gapfinder guide capture`.",
    ),
)

# By refuted_names.refuted_by.
REFUTED = {
    "work": "half of the compute, or more, is launched in it, or whole steps lie in it",
    "nothing": "nothing of that kind happens in it",
}


def notes(trace: OpenTrace, causes: list[DiagnosedCause], damage: Damage) -> list[str]:
    """One sentence for each thing that the trace cannot tell, with what to capture instead; without `rank_notes`."""
    result = [f"This trace holds {lack}" for table, lack in MISSING if table not in trace.tables]
    result += damage.notes
    lost = {cause.cause: cause for cause in causes}
    if not trace.id_rows("SELECT 1 FROM steps LIMIT 1"):
        result.append(
            "No steps were found: all of the trace is one window, start-up included. "
            + ("Name the step's NVTX range with --step" if "NVTX_EVENTS" in trace.tables else "Mark steps with NVTX ranges")
            + ", or choose --window."
        )
    result += _cut_window(trace)
    result += _after_the_last_activity(trace)
    if not trace.id_rows("SELECT 1 FROM python_samples LIMIT 1"):
        lack = (
            "No Python sample has a line of your own code on its stack: source lines are unknown."
            if trace.id_rows("SELECT 1 FROM sampled_stacks LIMIT 1")
            else f"No Python samples: source lines are unknown. If this is a Python program, {recorded_by()}."
        )
        result.append(lack)
    if trace.id_rows("SELECT 1 FROM graph_launches LIMIT 1"):
        result.append(
            "CUDA graphs were traced as a whole: the kernels and gaps inside a graph are not in this trace. "
            f"{recorded_by(' --graph-nodes')}."
        )
    result += _sharing(trace, causes)
    result += [
        f'The NVTX range "{name}" is named after {cause}, but {REFUTED[by]}: the name is ignored.'
        for cause, name, by in trace.tuples("SELECT cause, name, refuted_by FROM refuted_names ORDER BY cause, name")
    ]
    result += [note for (note,) in trace.tuples(f"SELECT note FROM notes WHERE cause <> '{COMMUNICATION}' ORDER BY cause, note")]
    if UNEXPLAINED in lost and lost[UNEXPLAINED].share >= 0.01:
        share = percent(lost[UNEXPLAINED].share)
        result.append(f"{share} of the window is unexplained: `gapfinder gaps --cause unexplained` lists where.")
    return result


def start_up_notes(regimes: Sequence[Regime], window: DiagnosedWindow) -> list[str]:
    """What to record instead, if hardly any steps were recorded."""
    share = long_start_up(regimes, window.source)
    if share is None:
        return []
    before = f"{percent(share)} of what was recorded comes before the steps, which may be parts of the first ones"
    return [f"{before}. Record later (`gapfinder capture --delay SECONDS`) or for longer."]


def rank_notes(trace: OpenTrace, predictions: Predictions, window: DiagnosedWindow, requests: Requests | None) -> list[str]:
    """The notes that do not hold for a job to which the trace may belong: its ranks together are replayed and compared."""
    result = [note for (note,) in trace.tuples(f"SELECT note FROM notes WHERE cause = '{COMMUNICATION}' ORDER BY note")]
    if predictions.unprofiled_ns and predictions.unprofiled_ns[0] < (1 - USUAL_SHARE) * window.step_ns:
        low_ns, high_ns = predictions.unprofiled_ns
        takes = f"{window.a_unit} takes about {between(low_ns, high_ns)}"
        if requests:
            busy = between(requests.busy_if(low_ns, window), requests.busy_if(high_ns, window))
            takes = f"the server is busy with a request for about {busy}"
        result.append(
            f"Tracing slows the CPU: without the profiler {takes}, depending on the machine. Compare it with the time that the "
            "program prints."
        )
    if predictions.error is not None and abs(predictions.error) > MAX_ERROR:
        result.append(
            "No predictions: the replay of the unchanged program differs from the measured "
            f"{window.unit} by {percent(abs(predictions.error))}."
        )
    if predictions.error is None and has_too_many(trace):
        result.append(
            f"No predictions: {window.a_unit} holds more than {most_replayed(trace):,} activities. "
            "Choose a part of it with --window."
        )
    return result


def _cut_window(trace: OpenTrace) -> list[str]:
    """A note where the last step that was asked for is beyond those of the trace. `5..20` of 20 steps means up to its end."""
    first, last = trace.options.window.from_step, trace.options.window.to_step
    if last is None:
        return []
    [(steps,)] = trace.tuples("SELECT count(*) FROM steps")
    if last <= steps:
        return []
    return [
        f"The trace has {count(steps, 'step')}, counted from 0: --window {first}..{last} is cut at its end, step {steps - 1}."
    ]


def _after_the_last_activity(trace: OpenTrace) -> list[str]:
    """A note where the program goes on for long after the GPU's last activity."""
    if trace.options.names_a_part:
        return []
    return [
        f"After the GPU's last activity, the program goes on for {duration(ns)} until {clean(call)}: that is in no step or share."
        for call, ns in trace.tuples("SELECT call, pause_ns FROM unanalysed_end")
    ]


def _sharing(trace: OpenTrace, causes: list[DiagnosedCause]) -> list[str]:
    """Notes on GPUs that are shared, where the time of a kernel includes the time of other programs."""
    result = [
        f"GPU {row['gpu']} is shared by {row['processes']} processes of this trace. Without MPS they take turns, so that each "
        "kernel seems to take longer than it would alone: give each process a GPU of its own, and compare."
        for row in trace.id_rows("SELECT * FROM shared_gpus ORDER BY gpu")
    ]
    if "GPU_CONTEXT_SWITCH_EVENTS" in trace.tables or result or sum(cause.share for cause in causes) >= MOSTLY_IDLE:
        return result
    return [
        f"GPU {row['gpu']} seems to be shared with a program that is not in this trace: {count(row['kernels'], 'kernel')} now "
        f"and then take the same {duration(row['slice_ns'])} longer ({percent(row['share'])} of the time of all kernels), as "
        "where programs take turns. Look for it with nvidia-smi, and capture without it."
        for row in trace.id_rows("SELECT * FROM sliced_gpus ORDER BY gpu")
    ]
