"""What a notebook shows below the text of a result: the page of its command. A trace that was closed is opened again for it."""

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from weakref import ref

from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.errors import GapfinderError, TraceError
from gapfinder.ingest.nsys.trace import versions
from gapfinder.job.paths import expanded
from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.stages import silent
from gapfinder.trace import OpenTrace

Element = Callable[[], str]  # makes an element of HTML


def of_diagnosis(diagnosis: Diagnosis, trace: OpenTrace) -> Element:
    """The page of a trace; once it is closed, from its file."""
    path, options, config, still = trace.path, trace.options, trace.config, ref(trace)

    def page(known: OpenTrace) -> str:
        from gapfinder.report.trace import page_of

        return page_of(known, diagnosis)

    def from_file() -> str:
        with open_trace(path, options, config, silent) as again:
            return page(again)

    closed = _from([path], from_file)

    def shown() -> str:
        known = still()
        return _framed(lambda: page(known)) if known and not known.closed else closed()

    return shown


def of_job(job: Job, options: Options, config: Config) -> Element:
    """The page of a job."""

    def page() -> str:
        from gapfinder.report.job import page_of
        from gapfinder.report.parts import parts_of_job

        return page_of(job, parts_of_job(job, options, config, silent))

    return _from(map(Path, job.traces), page)


def of_comparison(comparison: Comparison, options: Options, config: Config) -> Element:
    """The page of a comparison."""

    def page() -> str:
        from gapfinder.report.comparison import page_of
        from gapfinder.report.parts import parts_of_comparison

        return page_of(comparison, parts_of_comparison(comparison, options, config, silent))

    return _from((path for traced in comparison.traces for path in expanded(Path(traced.trace))), page)


def _from(paths: Iterable[Path], page: Element) -> Element:
    """A page that is made from files: only as long as they are those that were diagnosed."""
    before = {path: versions(path) for path in paths}

    def checked() -> str:
        for path, version in before.items():
            if versions(path) != version:
                raise TraceError(f"{path} was changed or moved after this was found in it: diagnose it again to see its charts")
        return page()

    return lambda: _framed(checked)


def _framed(page: Element) -> str:
    """The page in a frame; where it cannot be made, why."""
    from gapfinder.report.frame import framed

    try:
        return framed(page())
    except GapfinderError as error:
        return f"<p>{escape(str(error))}</p>\n"
