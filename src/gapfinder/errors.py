"""The errors that a user can cause. Each message is one line that says what is wrong and what to do about it."""


class GapfinderError(Exception):
    """Whatever is printed as one line on standard error."""

    exit_status = 3


class TraceError(GapfinderError):
    """The trace, or what it takes to read it, is unusable."""


class NoWorkError(TraceError):
    """The trace is sound, and the GPU did nothing in it."""


class CaptureError(GapfinderError):
    """A program could not be recorded."""


class UsageError(GapfinderError):
    """What was asked for makes no sense."""

    exit_status = 2


class GateError(GapfinderError):
    """A gate that was asked for failed. All that there is to say was said before."""

    exit_status = 1
