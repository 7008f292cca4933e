"""The sentences of a diagnosis that all renderers share. Names from the trace are not yet escaped."""

from gapfinder.diagnosis.cause import DiagnosedCause
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import COMMUNICATION
from gapfinder.replay.words import unchanged
from gapfinder.units import between, duration


def prediction(cause: DiagnosedCause, diagnosis: Diagnosis) -> str | None:
    """The predicted step without a cause, how it was predicted, and why it is not shorter; None if nothing was predicted."""
    step = diagnosis.window.unit
    if cause.predicted_range_ns:
        return f"without it the {step} takes {between(*cause.predicted_range_ns)}: {cause.why_range}"
    if cause.predicted_step_ns is None or diagnosis.replay_error is None:
        return None
    is_of_job = diagnosis.job is not None and diagnosis.job.replay_error is not None
    replayed = "by a replay across the ranks" if is_of_job else "by a replay of the trace"
    condition = "with all of it overlapped by compute" if diagnosis.job and cause.cause == COMMUNICATION else "without it"
    takes = f"the {step} takes about {duration(cause.predicted_step_ns)}"
    if diagnosis.requests and (busy_ns := diagnosis.requests.without(cause, diagnosis.window)) is not None:
        takes = f"the server is busy with a request for about {duration(busy_ns)}"  # requests come no sooner than before
    if cause.why_range:
        return f"{condition} {takes}: {cause.why_range}"
    gain = f"; {cause.why_gain}" if cause.why_gain else ""
    return f"{condition} {takes}, {replayed} ({unchanged(diagnosis.replay_error, step)}){gain}"
