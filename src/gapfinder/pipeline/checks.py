"""Checks that a trace has what a diagnosis needs and what the user asked for."""

from pathlib import Path

import duckdb

from gapfinder.errors import NoWorkError, UsageError, did_you_mean
from gapfinder.ingest.nsys.load import CALLS, damaged
from gapfinder.options import Options
from gapfinder.units import count, names_list, timestamp


def check_work(connection: duckdb.DuckDBPyConnection, path: Path, tables: set[str]) -> None:
    """Raise NoWorkError if no kernel and no graph ran, unless the calls say that the program only copies, and nsys read all.

    Reads kernels, graph_launches, copies, calls, call_families and import_errors.
    """
    ran = "SELECT 1 FROM kernels UNION ALL SELECT 1 FROM graph_launches LIMIT 1"
    only_copies = """
        SELECT 1 FROM copies
        WHERE EXISTS (FROM calls) AND NOT EXISTS (
            FROM calls AS c INNER JOIN call_families AS f ON f.string_id = c.name_id
            WHERE f.family = 'launch'
        )
        LIMIT 1
    """
    if connection.execute(ran).fetchall():
        return
    if connection.execute("SELECT 1 FROM import_errors WHERE times > 0").fetchall():
        raise NoWorkError(
            f"{path} holds no kernels: nsys says that errors occurred while it processed events, and lost them; "
            "capture again, and if that does not help, with another version of nsys"
        )
    if connection.execute(only_copies).fetchall():
        return
    if CALLS in tables:
        raise NoWorkError(f"{path} holds CUDA calls but no kernels: capture while the GPU works, and let nsys end by itself")
    raise NoWorkError(
        f"{path} holds no GPU work: the capture ended before it began, or CUDA was not traced; "
        "capture again with `gapfinder capture`"
    )


def check_activities(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Raise TraceError if nothing that was launched takes time. Reads activities and migrations."""
    works = "SELECT 1 FROM activities ANTI JOIN migrations USING (activity_id) WHERE end_ns > start_ns LIMIT 1"
    if not connection.execute(works).fetchall():
        raise damaged(path, "none of its GPU activities has a GPU and times that can be")


def check_window(connection: duckdb.DuckDBPyConnection, options: Options) -> None:
    """Raise UsageError if the options name something that the trace lacks, or a window without activities.

    Reads main_ranges, step_ranges, steps, analysed_time and activities.
    """
    if options.step and not connection.execute("SELECT 1 FROM step_ranges LIMIT 1").fetchall():
        raise UsageError(_no_range(connection, options.step))
    steps = len(connection.execute("SELECT step FROM steps").fetchall())
    if options.window.from_step is not None and options.window.from_step >= steps:
        raise UsageError(f"the trace has {count(steps, 'step')}, counted from 0: there is no step {options.window.from_step}")
    window = connection.execute("SELECT start_ns, end_ns FROM analysed_time").fetchall()[0]
    works = (
        "SELECT 1 FROM activities WHERE end_ns > start_ns AND end_ns > $1 AND start_ns < $2 AND gpu = coalesce($3, gpu) LIMIT 1"
    )
    if not connection.execute(works, [*window, options.device]).fetchall():
        where = "" if options.device is None else f" on GPU {options.device}"
        raise UsageError(f"no GPU activity runs in that window{where}: {_nearest(connection, window, options.device)}")


def check_regime(connection: duckdb.DuckDBPyConnection, asked: str) -> None:
    """Raise UsageError if the trace has no regime of the kind that was asked for. Reads regimes."""
    kinds = [kind for (kind,) in connection.execute("SELECT kind FROM regimes GROUP BY kind ORDER BY min(start_ns)").fetchall()]
    if asked not in kinds:
        raise UsageError(f"the trace has no {asked}: what was recorded is {names_list(kinds)}")


def _no_range(connection: duckdb.DuckDBPyConnection, step: str) -> str:
    """The message that no NVTX range has this name, with those that repeat, longest first."""
    query = "SELECT name FROM main_ranges GROUP BY name ORDER BY count(*) = 1, sum(end_ns - start_ns) DESC, name"
    names = [name for (name,) in connection.execute(query).fetchall()]
    if not names:
        return f"no NVTX range is named {step!r}, and the trace has none: without --step, steps are looked for among the launches"
    return f"no NVTX range of a GPU's process is named {step!r}{did_you_mean(step, names)}; there is {names_list(names)}"


def _nearest(connection: duckdb.DuckDBPyConnection, window: tuple[int, int], device: int | None) -> str:
    """The message that names the gap in which a window lies, and the window that shows it; else the nearest activity."""
    around = """
        SELECT max_by(start_ns, end_ns) FILTER (end_ns <= $1), max(end_ns) FILTER (end_ns <= $1),
            min(start_ns) FILTER (start_ns >= $2), min_by(end_ns, start_ns) FILTER (start_ns >= $2)
        FROM activities
        WHERE gpu = coalesce($3, gpu) AND end_ns > start_ns
    """
    from_ns, last_ns, next_ns, until_ns = connection.execute(around, [*window, device]).fetchall()[0]
    if last_ns is not None and next_ns is not None:
        shown = f"--window {_seconds(from_ns)}..{_seconds(until_ns + 999)}"
        return f"it lies in one gap, from {timestamp(last_ns)} to {timestamp(next_ns)}; {shown} has the activities around it too"
    if last_ns is not None or next_ns is not None:
        start_ns, end_ns = (from_ns, last_ns) if next_ns is None else (next_ns, until_ns)
        return f"the nearest one runs from {timestamp(start_ns)} to {timestamp(end_ns)}"
    gpus = connection.execute("SELECT DISTINCT gpu FROM activities ORDER BY gpu").fetchall()
    return f"the GPUs with activities are {names_list([str(gpu) for (gpu,) in gpus])}"


def _seconds(at_ns: int) -> str:
    """A time for --window, in whole microseconds."""
    return f"{at_ns // 1000 / 1e6:.6f}s"
