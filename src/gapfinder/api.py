"""The Python API: functions that open, compare, diagnose, convert and redact traces, and the class of an open trace."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from gapfinder import render  # noqa: F401  registers the renderers of results
from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.errors import UsageError
from gapfinder.opening import open_as
from gapfinder.options import Options
from gapfinder.pipeline.config import files_of, read_config
from gapfinder.pipeline.stages import silent
from gapfinder.system.texts import as_path
from gapfinder.system.writing import check_target, written
from gapfinder.trace import OpenTrace
from gapfinder.whatif.whatif import WhatIf

if TYPE_CHECKING:
    import polars as pl

AnyPath = str | PathLike[str]
Progress = Callable[[str], None]


class Trace(OpenTrace):
    """An open trace. It holds the trace in memory: use it in a `with` statement, or close it.

    `path` is the file or folder, `options` are the choices made, `config` holds the causes, and `tables` has the names of the
    tables in the export. Several threads may use it at the same time; another process, a forked one too, opens its own.
    `gapfinder.open` opens one.
    """

    def diagnose(self, *, gates: Iterable[str] = ()) -> Diagnosis:
        """The verdict, the ledger, every cause with its evidence and its fix, and notes on what the trace cannot tell.

        For a trace with several ranks, it is the diagnosis of their job: which rank was late, and why. `gates` are written as for
        `--fail-on`, for example `lost>20%`; their results are in `gates` of the diagnosis. Raises UsageError if a gate is wrong.
        """
        from gapfinder.diagnosis.quantities import quantities_of
        from gapfinder.gates.check import check_gates
        from gapfinder.job.in_trace import diagnose_trace
        from gapfinder.report import notebook

        diagnosis = diagnose_trace(self)
        results = check_gates(gates, self.config.causes, lambda: quantities_of(self, diagnosis))
        diagnosis = replace(diagnosis, gates=results)
        return diagnosis.with_charts(notebook.of_diagnosis(diagnosis, self))

    def whatif(self, *, without: Iterable[str] = (), speed_up: Iterable[str] = ()) -> WhatIf:
        """Predict, by a replay, the step time with something removed or made faster.

        Changes are written as for `gapfinder whatif`.

        For example `without=["host_sync", "nvtx:checkpoint"], speed_up=["kernel:*gemm*=2"]`. Raises UsageError if a change is
        wrong or matches nothing in the trace.
        """
        from gapfinder.whatif.answer import answer
        from gapfinder.whatif.grammar import parse_requests

        return answer(self, parse_requests(without, speed_up, self.config.causes))

    def report(self, path: AnyPath) -> Path:
        """Write the diagnosis as a page, one HTML file that works without a network, and return its path.

        A file that is there is replaced. Raises UsageError if the path is part of the trace or in no folder, and OutputError if
        it cannot be written.
        """
        from gapfinder.report.trace import page_of

        target = as_path(path)
        check_target(target, [self.path, *self.config.files])
        page = page_of(self, self.diagnose())
        with written(target) as new:
            new.write_text(page, encoding="utf-8")
        return target

    def gaps(self, *, by: str = "device", cause: str | None = None) -> "pl.DataFrame":
        """The gaps of each GPU (`by="device"`) or of each stream (`by="stream"`), longest first.

        The columns are those of the views `gaps` and `stream_gaps`; times are in ns. With `cause`, only gaps whose longest
        segment has that cause. Raises UsageError for another `by`, an unknown cause, or a cause of streams, whose gaps have none.
        """
        from gapfinder.diagnosis.gaps import list_gaps

        return list_gaps(self, by=by, cause=cause)

    def ledger(self) -> "pl.DataFrame":
        """The ledger of each GPU, most lost time first. Columns: gpu, cause, ns, share (0 to 1).

        The cause is `compute` for the time that is not lost. The ns of a GPU add up to the window.
        """
        return self.frame("SELECT * FROM ledger_lines")

    def steps(self) -> "pl.DataFrame":
        """The steps of the window on each GPU. The columns are those of the view `step_totals`; times are in ns."""
        return self.frame("SELECT * FROM step_totals")

    def kernels(self) -> "pl.DataFrame":
        """Every kernel in order of its start. The columns are those of the view `kernels`; times are in ns."""
        return self.frame("SELECT * FROM kernels ORDER BY start_ns, activity_id")

    def __repr__(self) -> str:
        from gapfinder.diagnosis.window import subject, window_of

        if self.closed:
            return f"<Trace {self.path.name!r}, closed>"
        gpus = [device["name"] for device in self.id_rows("SELECT * FROM devices")]
        return f"<Trace {subject(str(self.path), gpus, window_of(self))}>"

    def _repr_html_(self) -> str:
        """For a notebook: what it is, and its page as `report` writes it."""
        from gapfinder.report import notebook

        name = f"<code>{escape(repr(self))}</code>"
        return name if self.closed else name + notebook.of_diagnosis(self.diagnose(), self)()


def open(  # noqa: A001  as in gzip and tarfile, to be called as gapfinder.open
    path: AnyPath,
    *,
    step: str | None = None,
    window: str | int | None = None,
    device: int | None = None,
    min_gap: str = "0ns",
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    progress: Progress = silent,
    unsafe: bool = False,
) -> Trace:
    """Open a trace: a report (.nsys-rep), its SQLite or Parquet export, or the output of `convert`.

    `step` is the name of the NVTX range of one step.
    `window` is the part to diagnose: `all`, a kind of regime such as `steps`, steps such as `5..20`, or times such as `1.5s..2s`;
    by default the kind of regime that loses most after start-up, mostly the steps. `device` is the only GPU to look at.
    `min_gap`, for example `20us`: shorter gaps are counted but not listed.
    `memory_limit`, for example `4GB`; by default half of the free memory. Data beyond it goes to a temporary folder. `config` is
    a TOML file as the guide `decisions` describes; by default ./gapfinder.toml, else gapfinder/config.toml in $XDG_CONFIG_HOME or
    ~/.config.
    `progress` is called with a few words for each stage, whose `done` is the share that is over, where it is known. `unsafe`
    allows SQL queries everything that DuckDB can do, such as writing files.

    Raises `gapfinder.errors.TraceError` if the trace cannot be used, and `UsageError` if an option is wrong or the trace has no
    such step, window or device.
    """
    options = Options.parse(step, window, device, memory_limit, min_gap)
    return open_as(Trace, as_path(path), options, read_config(config), progress, unsafe=unsafe)


def compare(
    before: AnyPath,
    after: AnyPath,
    *more: AnyPath,
    step: str | None = None,
    window: str | int | None = None,
    device: int | None = None,
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    gates: Iterable[str] = (),
    progress: Progress = silent,
) -> Comparison:
    """Compare `after`, and each of `more`, with `before`: step time, speedup, and the lost time of each cause.

    Each trace is opened with the options that `gapfinder.open` describes, measured, and closed again. `gates` are written as for
    `--fail-on`, for example `step>+3%`; their results are in `gates` of the comparison.

    Raises `gapfinder.errors.TraceError` if a trace cannot be used, and `UsageError` if an option or a gate is wrong. Traces that
    cannot be compared raise no error: `last.obstacles` says why.
    """
    from gapfinder.comparison.traces import compare_traces
    from gapfinder.report import notebook

    paths = [as_path(path) for path in (before, after, *more)]
    options, settings = Options.parse(step, window, device, memory_limit), read_config(config)
    comparison = compare_traces(paths, options, settings, gates, progress)
    return comparison.with_charts(notebook.of_comparison(comparison, options, settings))


def diagnose_job(
    *paths: AnyPath,
    step: str | None = None,
    window: str | int | None = None,
    device: int | None = None,
    min_gap: str = "0ns",
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    gates: Iterable[str] = (),
    skip_unusable: bool = False,
    progress: Progress = silent,
) -> Job:
    """Diagnose a job of several ranks: which rank was late, and why? `paths` are traces, folders of traces, or patterns.

    The other options are those of `open`; `gates` are those of `Trace.diagnose`. With `skip_unusable`, traces that cannot be used
    are left out, and the notes name them. Raises `gapfinder.errors.TraceError` if a trace
    cannot be used or the traces are not ranks of one job, and `UsageError` if an option or a gate is wrong.
    """
    from gapfinder.gates.check import check_gates
    from gapfinder.job import traces
    from gapfinder.job.measured import quantities_of_job
    from gapfinder.job.paths import all_traces
    from gapfinder.report import notebook

    settings = read_config(config)
    options = Options.parse(step, window, device, memory_limit, min_gap)
    job, traces_measured = traces.diagnose_job(
        all_traces(map(as_path, paths)), options, settings, progress, skip_unusable=skip_unusable
    )
    job = replace(job, gates=check_gates(gates, settings.causes, lambda: quantities_of_job(job, traces_measured)))
    return job.with_charts(notebook.of_job(job, options, settings))


def convert(
    path: AnyPath,
    target: AnyPath,
    *,
    step: str | None = None,
    window: str | int | None = None,
    device: int | None = None,
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    force: bool = False,
    progress: Progress = silent,
) -> None:
    """Write a trace and all its relations to `target`, for other programs. `open` can read `target` without the original trace.

    `target` becomes a DuckDB database if its name ends in .duckdb, and a folder of Parquet files if it has no ending. An existing
    file or an earlier conversion is replaced only with `force`; any other folder never. The other options are those of `open`.

    Raises `gapfinder.errors.TraceError` if the trace cannot be used, `UsageError` if an option is wrong or `target` is
    no place for it, and `OutputError` if it cannot be written.
    """
    from gapfinder.conversion.convert import convert as write_conversion

    path, target = as_path(path), as_path(target)
    check_target(target, [path, *files_of(config)])
    options = Options.parse(step, window, device, memory_limit)
    write_conversion(path, target, options, read_config(config), progress, force=force)


def redact(
    path: AnyPath,
    target: AnyPath,
    *,
    names: bool = False,
    key: AnyPath | None = None,
    config: AnyPath | None = None,
    force: bool = False,
    progress: Progress = silent,
) -> None:
    """Write the part of a trace that is safe to share to `target`: an SQLite export with the same diagnosis.

    It holds nothing that nsys tells of the machine and the user: no environment, host, user, command line, other process or
    folder. What the program wrote into names stays, without paths and addresses; with `names`, they are replaced by codes. The
    codes depend on the secret in the file `key`, by default gapfinder/names.key in $XDG_CONFIG_HOME or ~/.config; the file is
    made if it does not exist. An existing `target` is replaced only with `force`. `config` is that of `open`.

    Raises `gapfinder.errors.TraceError` if the trace cannot be read, and `UsageError` if the target or the key cannot be used.
    """
    from gapfinder.redaction.key import own_key, read_key
    from gapfinder.redaction.redact import redact as write_redacted

    if key and not names:
        raise UsageError("--key is the key for the codes of --names: give both")
    path, target = as_path(path), as_path(target)
    secret_files = [as_path(key) if key else own_key()] if names else []
    check_target(target, [path, *files_of(config), *secret_files])
    if key:
        check_target(secret_files[0], [path])
    secret = read_key(secret_files[0]) if names else None
    write_redacted(path, target, read_config(config), progress, key=secret, force=force)
