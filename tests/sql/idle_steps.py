"""Traces of steps in which the GPU is idle after the first quarter."""

from synthetic import MS, US, Synthetic

STEPS, STEP = 6, 20 * MS


def repeated(step):
    """A trace in which a kernel runs for the first quarter of each step, and the launching thread then does `step`."""
    trace = Synthetic()
    trace.thread(1)
    for start in range(0, STEPS * STEP, STEP):
        trace.nvtx("step", start, start + STEP - US)
        trace.kernel(start + 20 * US, start + 5 * MS, (start, start + 10 * US))
        step(trace, start)
    return trace
