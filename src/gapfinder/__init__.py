"""gapfinder names the cause of every nanosecond in which a GPU does not compute, from an Nsight Systems trace.

`gapfinder.results` has the classes of all that results hold, `gapfinder.errors` those of all errors, and `gapfinder.annotate`
marks the steps of a program of your own. An open trace has a method for what each command does:

    import gapfinder

    with gapfinder.open("trace.nsys-rep") as trace:
        print(trace.diagnose())
        trace.gaps()  # a polars frame
        trace.sql("SELECT * FROM segments LIMIT 5")
        trace.report("report.html")

    gapfinder.compare("before.nsys-rep", "after.nsys-rep")
    gapfinder.diagnose_job("rank0.nsys-rep", "rank1.nsys-rep")
"""

from typing import TYPE_CHECKING

from gapfinder.errors import GapfinderError
from gapfinder.resources import __version__

if TYPE_CHECKING:
    from gapfinder.api import Trace, compare, convert, diagnose_job, open, redact  # noqa: A004  to be called as gapfinder.open
    from gapfinder.results import Comparison, Diagnosis, Job, WhatIf

__all__ = [
    "Comparison",
    "Diagnosis",
    "GapfinderError",
    "Job",
    "Trace",
    "WhatIf",
    "__version__",
    "compare",
    "convert",
    "diagnose_job",
    "open",
    "redact",
]


def __getattr__(name: str) -> object:
    """Import the API when it is first used: a program that only uses gapfinder.annotate does not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import concurrent.futures.thread  # noqa: F401  polars needs it, and it cannot be imported while Python ends
    except RuntimeError as error:
        from gapfinder.errors import UsageError

        raise UsageError("gapfinder cannot be used first while Python ends: call gapfinder.open once before") from error
    from gapfinder import api, results

    module = results if name in results.__all__ else api
    return getattr(module, name)


def __dir__() -> list[str]:
    return [*__all__]


del TYPE_CHECKING
