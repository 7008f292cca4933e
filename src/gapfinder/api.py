"""What `import gapfinder` offers: the functions that open, compare, diagnose, convert and redact traces, and an open trace."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from gapfinder import render  # noqa: F401  fills the registry by which results show themselves
from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.errors import UsageError
from gapfinder.opening import open_as
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config
from gapfinder.trace import OpenTrace
from gapfinder.whatif.whatif import WhatIf

if TYPE_CHECKING:
    import polars as pl

AnyPath = str | PathLike[str]
Progress = Callable[[str], None]


def _silent(_: str) -> None: ...


class Trace(OpenTrace):
    """An open trace. Use it in a `with` statement, or close it: it holds the trace in memory.

    `path` is where it was read from, `options` what was chosen, `tables` names the tables that the export has, and
    `config` holds the causes. Several threads may ask at once.
    """

    def diagnose(self, *, gates: Iterable[str] = ()) -> Diagnosis:
        """The verdict, the ledger, every cause with its evidence and its fix, and what the trace cannot tell.

        Of a trace with several ranks, also which of them was late, and why. `gates` are written as after `--fail-on`, as
        `lost>20%`; what came of each is in `gates` of the diagnosis. Raises UsageError where one is wrong.
        """
        from gapfinder.diagnosis.diagnose import diagnose
        from gapfinder.diagnosis.quantities import quantities_of
        from gapfinder.gates.check import checked
        from gapfinder.job.traces import job_of

        diagnosis = diagnose(self)
        found = checked(gates, self.config.causes, lambda: quantities_of(self, diagnosis))
        return replace(diagnosis, job=job_of(self, diagnosis), gates=found)

    def whatif(self, *, without: Iterable[str] = (), speed_up: Iterable[str] = ()) -> WhatIf:
        """The step with something left out or faster, by a replay; what to write is as in `gapfinder whatif`.

        For example `without=["host_sync", "nvtx:checkpoint"], speed_up=["kernel:*gemm*=2"]`. Raises UsageError.
        """
        from gapfinder.whatif.answer import answer
        from gapfinder.whatif.grammar import asked

        return answer(self, asked(without, speed_up, self.config.causes))

    def gaps(self, *, by: str = "device", cause: str | None = None) -> "pl.DataFrame":
        """The gaps of each GPU (`by="device"`) or of each stream (`by="stream"`), longest first.

        Columns as in the views `gaps` and `stream_gaps`; times in ns. With `cause`, only gaps whose longest segment has it.
        """
        from gapfinder.diagnosis.gaps import listed

        return listed(self, by=by, cause=cause)

    def ledger(self) -> "pl.DataFrame":
        """The ledger of each GPU, most lost first: gpu, cause (`compute` for the time that is not lost), ns, share (0 to 1).

        The ns of a GPU add up to the window.
        """
        return self.frame("SELECT * FROM ledger_lines")

    def steps(self) -> "pl.DataFrame":
        """The steps of the window on each GPU; columns as in the view `step_totals`, times in ns."""
        return self.frame("SELECT * FROM step_totals")

    def kernels(self) -> "pl.DataFrame":
        """Every kernel that ran, in order of its start; columns as in the view `kernels`, times in ns."""
        return self.frame("SELECT * FROM kernels ORDER BY start_ns, activity_id")

    def __repr__(self) -> str:
        from gapfinder.diagnosis.window import subject, window_of

        try:
            gpus = [device["name"] for device in self.facts("SELECT * FROM devices")]
            return f"<Trace {subject(str(self.path), gpus, window_of(self))}>"
        except duckdb.ConnectionException:  # it was closed
            return f"<Trace {self.path.name!r}, closed>"

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"


def open(  # noqa: A001  as in gzip and tarfile, to be called as gapfinder.open
    path: AnyPath,
    *,
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    min_gap: str = "0ns",
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    progress: Progress = _silent,
    unsafe: bool = False,
) -> Trace:
    """Read a trace: a report (.nsys-rep), an SQLite or Parquet export of one, or what `convert` made.

    `step` names the NVTX range that is one step; `window` is `all`, steps as `5..20`, or times as `1.5s..2s`, and by default
    the steps after warm-up; `device` is the only GPU to look at; places shorter than `min_gap`, as `20us`, are counted, and
    not listed. `memory_limit`, as `4GB`, is what it may take, by default half of what is free; the rest goes to a temporary
    folder. `config` is a TOML file as the README describes; by default ./gapfinder.toml, else gapfinder/config.toml in
    $XDG_CONFIG_HOME or ~/.config. `progress` is told in a few words what goes on.

    Raises `gapfinder.errors.TraceError` where the trace is unusable, `UsageError` where it lacks what was asked for.
    """
    options = Options.chosen(step, window, device, memory_limit, min_gap)
    return open_as(Trace, Path(path), options, read_config(config), progress, unsafe=unsafe)


def compare(
    before: AnyPath,
    after: AnyPath,
    *more: AnyPath,
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    gates: Iterable[str] = (),
    progress: Progress = _silent,
) -> Comparison:
    """Is `after` faster than `before`, by how much, and what became of each cause? With `more` traces, each against `before`.

    Traces are opened one after the other, each with the choices that `gapfinder.open` describes, and closed again. `gates`
    are written as after `--fail-on`, as `step>+3%`; what came of each is in `gates` of the comparison.

    Raises `gapfinder.errors.TraceError` where a trace is unusable, `UsageError` where one lacks what was asked for, or a gate
    is none. Traces that cannot be compared are no error: `last.obstacles` says why.
    """
    from gapfinder.comparison.traces import compare_traces

    paths = [Path(path) for path in (before, after, *more)]
    found = read_config(config)
    return compare_traces(paths, Options.chosen(step, window, device, memory_limit), found, gates, progress)


def diagnose_job(
    *paths: AnyPath,
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    min_gap: str = "0ns",
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    gates: Iterable[str] = (),
    progress: Progress = _silent,
) -> Job:
    """Which rank of a job was late, and why? `paths` are the traces of its ranks, folders of them, or patterns.

    The rest is as in `open`, and `gates` as in `Trace.diagnose`. Raises `gapfinder.errors.TraceError` where a trace is
    unusable, or they are no ranks of one job, `UsageError` where one lacks what was asked for.
    """
    from gapfinder.gates.check import checked
    from gapfinder.job import traces
    from gapfinder.job.measured import quantities_of_job
    from gapfinder.job.paths import all_traces

    known = read_config(config)
    options = Options.chosen(step, window, device, memory_limit, min_gap)
    job, parts = traces.diagnose_job(all_traces(map(Path, paths)), options, known, progress)
    return replace(job, gates=checked(gates, known.causes, lambda: quantities_of_job(job, parts)))


def convert(
    path: AnyPath,
    target: AnyPath,
    *,
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    memory_limit: str | None = None,
    config: AnyPath | None = None,
    force: bool = False,
    progress: Progress = _silent,
) -> None:
    """Write a trace and its layers to `target`, for other programs and for `open`, which then needs the trace no more.

    A database of DuckDB where the name of `target` ends in .duckdb, a folder of Parquet files where it has no ending. What is
    there is replaced only with `force`; a folder only if it is an earlier conversion. The rest is as in `open`.

    Raises `gapfinder.errors.TraceError` where the trace is unusable, `UsageError` where it lacks what was asked for or the
    target cannot be.
    """
    from gapfinder.conversion.convert import convert as written

    found = read_config(config)
    written(Path(path), Path(target), Options.chosen(step, window, device, memory_limit), found, progress, force=force)


def redact(
    path: AnyPath,
    target: AnyPath,
    *,
    names: bool = False,
    key: AnyPath | None = None,
    config: AnyPath | None = None,
    force: bool = False,
    progress: Progress = _silent,
) -> None:
    """Write what may be shared of a trace to `target`: an SQLite export with the same diagnosis.

    It holds nothing of the machine and the user: no environment, host, user, command line, foreign process or folder. With
    `names`, codes stand in place of names, by the secret in the file `key`, which is made if it is not there; by default
    gapfinder/names.key in $XDG_CONFIG_HOME or ~/.config. What is there is replaced only with `force`; `config` is as in `open`.

    Raises `gapfinder.errors.TraceError` where the trace cannot be read, `UsageError` where the target or the key cannot be.
    """
    from gapfinder.redaction.key import read_key
    from gapfinder.redaction.redact import redact as written

    if key and not names:
        raise UsageError("--key is the key for the codes of --names: give both")
    secret = read_key(Path(key) if key else None) if names else None
    written(Path(path), Path(target), read_config(config), progress, key=secret, force=force)
