"""How a program ended, in words, and what may have ended it."""

import signal

from gapfinder.capture.request import Request

SIGNALLED = 128  # a status above is this and the number of the signal that ended the program
CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE}
SAMPLES_PYTHON, SAMPLES_NOTHING = "--python-sampling", "--python-sampling=false"


def is_crash(status: int) -> bool:
    """Whether a signal ended the program that nobody sends."""
    return status - SIGNALLED in CRASHES


def how_it_ended(request: Request, status: int) -> str:
    """One sentence without its end. After a crash it names the suspect: Python's sampler reads the running interpreter."""
    program = request.program[0]
    if not is_crash(status):
        return f"{program} ended with status {status}"
    ended = f"{program} was ended by {signal.Signals(status - SIGNALLED).name} (status {status})"
    if any(flag.partition("=")[0] == SAMPLES_PYTHON for flag in request.nsys_flags):
        return ended
    return f"{ended}; if it does not crash by itself, Python sampling is the suspect: --nsys-flag={SAMPLES_NOTHING} leaves it out"
