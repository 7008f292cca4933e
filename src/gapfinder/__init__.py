"""gapfinder names the cause of every nanosecond in which a GPU does not compute, from an Nsight Systems trace.

An open trace has a method for what each command does:

    import gapfinder

    with gapfinder.open("trace.nsys-rep") as trace:
        print(trace.diagnose())
        trace.gaps()  # a polars frame
        trace.sql("SELECT * FROM segments LIMIT 5")

    gapfinder.compare("before.nsys-rep", "after.nsys-rep")
    gapfinder.diagnose_job("rank0.nsys-rep", "rank1.nsys-rep")
"""

from typing import TYPE_CHECKING, Any

from gapfinder.resources import __version__

if TYPE_CHECKING:
    from gapfinder.api import Trace, compare, convert, diagnose_job, open, redact  # noqa: A004  to be called as gapfinder.open

__all__ = ["Trace", "__version__", "compare", "convert", "diagnose_job", "open", "redact"]


def __getattr__(name: str) -> Any:
    """Import the API when it is first used: a program that only uses gapfinder.annotate does not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gapfinder import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
