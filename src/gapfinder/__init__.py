"""gapfinder: why a GPU does not compute, for every nanosecond of an Nsight Systems trace.

import gapfinder

with gapfinder.open("trace.nsys-rep") as trace:
print(trace.diagnose())
trace.gaps()                            # a polars frame
trace.sql("SELECT * FROM segments LIMIT 5")

gapfinder.compare("before.nsys-rep", "after.nsys-rep")
gapfinder.diagnose_job("rank0.nsys-rep", "rank1.nsys-rep")
"""

from typing import TYPE_CHECKING

from gapfinder.options import Options

if TYPE_CHECKING:  # a program that only marks its steps (gapfinder.annotate) needs nothing that reads traces
    from collections.abc import Callable, Iterable
    from os import PathLike

    from gapfinder.comparison.comparison import Comparison
    from gapfinder.diagnosis.job import Job
    from gapfinder.trace import Trace

__version__ = "0.1.0"


def open(  # noqa: A001  as in gzip and tarfile, to be called as gapfinder.open
    path: "str | PathLike[str]",
    *,
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    min_gap: str = "0ns",
    memory_limit: str | None = None,
    config: "str | PathLike[str] | None" = None,
    progress: "Callable[[str], None]" = lambda _: None,
    unsafe: bool = False,
) -> "Trace":
    """Read a trace: a report (.nsys-rep), an SQLite or Parquet export of one, or what `convert` made.

    `step` names the NVTX range that is one step; `window` is `all`, steps as `5..20`, or times as `1.5s..2s`, and by default
    the steps after warm-up; `device` is the only GPU to look at; places shorter than `min_gap`, as `20us`, are counted, and
    not listed. `memory_limit`, as `4GB`, is what it may take, by default half of what is free; the rest goes to a temporary
    folder. `config` is a TOML file as the README describes; by default ./gapfinder.toml, else gapfinder/config.toml in
    $XDG_CONFIG_HOME or ~/.config. `progress` is told in a few words what goes on.

    Raises `gapfinder.errors.TraceError` where the trace is unusable, `UsageError` where it lacks what was asked for.
    """
    from pathlib import Path

    from gapfinder.pipeline.config import read_config
    from gapfinder.trace import open_trace

    options = Options.chosen(step, window, device, memory_limit, min_gap)
    return open_trace(Path(path), options, read_config(config), progress, unsafe=unsafe)


def compare(
    before: "str | PathLike[str]",
    after: "str | PathLike[str]",
    *more: "str | PathLike[str]",
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    memory_limit: str | None = None,
    config: "str | PathLike[str] | None" = None,
    gates: "Iterable[str]" = (),
    progress: "Callable[[str], None]" = lambda _: None,
) -> "Comparison":
    """Is `after` faster than `before`, by how much, and what became of each cause? With `more` traces, each against `before`.

    Traces are opened one after the other, each with the choices that `gapfinder.open` describes, and closed again. `gates`
    are written as after `--fail-on`, as `step>+3%`; what came of each is in `gates` of the comparison.

    Raises `gapfinder.errors.TraceError` where a trace is unusable, `UsageError` where one lacks what was asked for, or a gate
    is none. Traces that cannot be compared are no error: `last.obstacles` says why.
    """
    from pathlib import Path

    from gapfinder.comparison.traces import compare_traces
    from gapfinder.pipeline.config import read_config

    paths = [Path(path) for path in (before, after, *more)]
    found = read_config(config)
    return compare_traces(paths, Options.chosen(step, window, device, memory_limit), found, gates, progress)


def diagnose_job(
    *paths: "str | PathLike[str]",
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    min_gap: str = "0ns",
    memory_limit: str | None = None,
    config: "str | PathLike[str] | None" = None,
    gates: "Iterable[str]" = (),
    progress: "Callable[[str], None]" = lambda _: None,
) -> "Job":
    """Which rank of a job was late, and why? `paths` are the traces of its ranks, folders of them, or patterns.

    The rest is as in `open`, and `gates` as in `Trace.diagnose`. Raises `gapfinder.errors.TraceError` where a trace is
    unusable, or they are no ranks of one job, `UsageError` where one lacks what was asked for.
    """
    from dataclasses import replace
    from pathlib import Path

    from gapfinder.gates.checked import checked
    from gapfinder.job.measured import facts
    from gapfinder.job.paths import expanded, in_order
    from gapfinder.job.traces import diagnose_job as diagnosed
    from gapfinder.pipeline.config import read_config

    known = read_config(config)
    found = in_order({trace for path in paths for trace in expanded(Path(path))})
    job, parts = diagnosed(found, Options.chosen(step, window, device, memory_limit, min_gap), known, progress)
    return replace(job, gates=checked(gates, known.causes, lambda: facts(job, parts)))


def convert(
    path: "str | PathLike[str]",
    target: "str | PathLike[str]",
    *,
    step: str | None = None,
    window: str | None = None,
    device: int | None = None,
    memory_limit: str | None = None,
    config: "str | PathLike[str] | None" = None,
    force: bool = False,
    progress: "Callable[[str], None]" = lambda _: None,
) -> None:
    """Write a trace and its layers to `target`, for other programs and for `open`, which then needs the trace no more.

    A database of DuckDB where the name of `target` ends in .duckdb, a folder of Parquet files where it has no ending. What is
    there is replaced only with `force`; a folder only if it is an earlier conversion. The rest is as in `open`.

    Raises `gapfinder.errors.TraceError` where the trace is unusable, `UsageError` where it lacks what was asked for or the
    target cannot be.
    """
    from pathlib import Path

    from gapfinder.conversion.convert import convert as written
    from gapfinder.pipeline.config import read_config

    found = read_config(config)
    written(Path(path), Path(target), Options.chosen(step, window, device, memory_limit), found, progress, force=force)


def redact(
    path: "str | PathLike[str]",
    target: "str | PathLike[str]",
    *,
    names: bool = False,
    key: "str | PathLike[str] | None" = None,
    config: "str | PathLike[str] | None" = None,
    force: bool = False,
    progress: "Callable[[str], None]" = lambda _: None,
) -> None:
    """Write what may be shared of a trace to `target`: an SQLite export with the same diagnosis.

    It holds nothing of the machine and the user: no environment, host, user, command line, foreign process or folder. With
    `names`, codes stand in place of names, by the secret in the file `key`, which is made if it is not there; by default
    gapfinder/names.key in $XDG_CONFIG_HOME or ~/.config. What is there is replaced only with `force`; `config` is as in `open`.

    Raises `gapfinder.errors.TraceError` where the trace cannot be read, `UsageError` where the target or the key cannot be.
    """
    from pathlib import Path

    from gapfinder.pipeline.config import read_config
    from gapfinder.redaction.key import read_key
    from gapfinder.redaction.redact import redact as written

    if key and not names:
        from gapfinder.errors import UsageError

        raise UsageError("--key is the key for the codes of --names: give both")
    secret = read_key(Path(key) if key else None) if names else None
    written(Path(path), Path(target), read_config(config), progress, key=secret, force=force)
