"""Answers a what-if: replays each change alone, and all changes together."""

from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.window import window_of
from gapfinder.replay.change import Change
from gapfinder.replay.ranges import MAX_ERROR
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import Timeline, why_not_replayed
from gapfinder.trace import OpenTrace
from gapfinder.units import names_list, percent
from gapfinder.whatif.grammar import Request
from gapfinder.whatif.removals import ALL_RANKS, REMOVALS, UnremovableError, lost_to, range_of_single_steps, several_ranks
from gapfinder.whatif.speedups import SPEED_UPS
from gapfinder.whatif.whatif import Answer, WhatIf


def answer(trace: OpenTrace, requests: list[Request]) -> WhatIf:
    """Predict the step time with each change, and with all.

    Raises UsageError if a change matches nothing in the trace, or if the only one is a cause that no replay removes.
    """
    window = window_of(trace)
    step_ns, unit = window.step_ns, window.unit
    timeline = Timeline.of(trace)
    damage = Damage.of(trace).sentences
    if timeline is None:
        note = f"Nothing is predicted, because {why_not_replayed(trace)}."
        return WhatIf(str(trace.path), window.steps, step_ns, None, [], None, note, unit, damage)
    replay = Replay(timeline)
    trusted = abs(replay.error) <= MAX_ERROR
    # as in the diagnosis: a cause costs a replayed step less or more than the mean step
    ratio_of = {row["cause"]: row["lost_ratio"] for row in trace.id_rows("SELECT * FROM replay_causes")}
    mean = step_ns / timeline.step_ns
    answers: list[Answer] = []
    apart: list[str] = []  # the causes that no replay of all steps removes
    together, together_ns, last_ns = Change(), step_ns, replay.unchanged_ns
    for request in requests:
        is_cause = request.subject == "cause"
        if is_cause and (found := range_of_single_steps(trace, replay, request.target, step_ns)):
            number_ns = found.number_ns(step_ns)
            range_ns = (found.low_ns, found.high_ns) if number_ns is None else None
            answers.append(Answer(request.text, lost_to(trace, request.target), number_ns, range_ns, found.why))
            apart.append(request.target)
            continue
        try:
            change, matched = (
                REMOVALS[request.subject](trace, replay, request.target)
                if request.subject in REMOVALS
                else SPEED_UPS[request.subject](trace, replay, request.target, 1 / request.speedup)
            )
        except UnremovableError as error:
            if len(requests) == 1:
                raise
            answers.append(Answer(request.text, f"{lost_to(trace, request.target)}; {error}", None))
            apart.append(request.target)
            continue
        ratio = ratio_of[request.target] if is_cause else mean
        alone_ns = round(step_ns - replay.saved_ns(replay.unchanged_ns, replay.length_ns(change)) * ratio) if trusted else None
        answers.append(Answer(request.text, matched, alone_ns))
        together |= change
        length_ns = replay.length_ns(together)
        together_ns -= replay.saved_ns(last_ns, length_ns) * ratio
        last_ns = length_ns
    notes = []
    if not trusted:
        notes = [f"Nothing is predicted: the unchanged replay differs by {percent(abs(replay.error))} from the measured {unit}."]
    elif several_ranks(trace):
        notes = [f"One rank is replayed here. {ALL_RANKS}."]
    if apart and len(answers) > 1:
        notes.append(f"All together is not predicted, because no replay of all steps removes {names_list(apart)}.")
    alone = answers[0].predicted_step_ns if len(answers) == 1 else None
    return WhatIf(
        str(trace.path),
        window.steps,
        step_ns,
        replay.error,
        answers,
        alone if apart else round(together_ns) if trusted else None,
        " ".join(notes) or None,
        unit,
        damage,
    )
