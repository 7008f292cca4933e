"""Reads a trace into a database, and returns the runner that makes its relations."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from graphlib import CycleError
from pathlib import Path

import duckdb

from gapfinder.errors import UsageError, first_line
from gapfinder.ingest.nsys.load import NSYS_SQL, declaration
from gapfinder.ingest.read_range import ReadRange
from gapfinder.ingest.source import opened
from gapfinder.options import Options
from gapfinder.pipeline import relations
from gapfinder.pipeline.cause_tables import fact_tables, macros, unions
from gapfinder.pipeline.checks import check_activities, check_regime, check_window, check_work
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.limits import limits
from gapfinder.pipeline.own_causes import OwnCause, check_rows, check_statements
from gapfinder.pipeline.relations import Relation, by_name, of_folder
from gapfinder.pipeline.runner import Runner
from gapfinder.pipeline.stages import Stages
from gapfinder.pipeline.stated import table
from gapfinder.system.interrupting import interruptible
from gapfinder.system.locking import lock
from gapfinder.system.memory import MemoryWatch

# What a trace may spill to disk: its relations take less than 20 times the bytes of an export, and a report is compressed.
SPILLED_BYTES, SPILLED_PER_BYTE = 4_000_000_000, 200
SETTINGS = (
    "preserve_insertion_order = false",
    "allocator_background_threads = true",  # gives 90 MB of 700 back to the system
    # estimates of rows are far off: a nested loop over a million rows, where 64 were expected, takes a minute
    "asof_loop_join_threshold = 0",
    # returning the memory of a dropped table at once saves 30 to 60 MB of 540 for a trace of a million kernels
    "allocator_bulk_deallocation_flush_threshold = '3MB'",
)
# DuckDB gives each thread this many rows of a table. With fewer rows, waking the other threads takes 10 % of the time.
ROW_GROUP_ROWS = 122_880
NAMES = "trace/70_names"
NO_LAYERS = ("10_source", "40_causes")  # a source has a folder of its own there, and a cause a file of several relations
VIEWS = ("views/perfetto", "views/page", "views/ranks")


@cache
def layers() -> tuple[Path, ...]:
    """The folders of the relations that every trace has, in the order in which the data flows."""
    folders = (relations.folder() / "trace").iterdir()
    return tuple(sorted(each for each in folders if each.is_dir() and each.name not in NO_LAYERS))


def defined(config: Config, options: Options, tables: Iterable[str], source: Path = NSYS_SQL) -> dict[str, Relation]:
    """Every relation of a trace that has these tables, by name.

    `source` is the folder of its source's SQL. A relation without a file there is made as for nsys, and is empty.
    """
    home = relations.folder()
    folders = [NSYS_SQL, source, *layers(), *(home / views for views in VIEWS)]
    found = by_name(relation for folder in folders for relation in of_folder(folder))
    known = config.causes.values()
    found |= by_name(view for cause in known for view in cause.relations)
    found |= generated(config) | by_name([*unions(known), *_chosen(options, tables)])
    own = [view for cause in known if isinstance(cause, OwnCause) for view in cause.relations]
    return found | by_name(replace(view, reads=view.reads & found.keys()) for view in own)


def generated(config: Config) -> dict[str, Relation]:
    """The relations that are made from limits and from the facts of the causes, by name. They read nothing."""
    causes = config.causes.values()
    return by_name([*limits(), *fact_tables(causes, config.patterns), *macros(causes, config.patterns)])


def _chosen(options: Options, tables: Iterable[str]) -> list[Relation]:
    """Relations with the user's options and the names of the tables that the trace has."""
    columns = options.columns()
    row = [value for value, _, _ in columns.values()]
    typed = {name: (kind, meaning) for name, (_, kind, meaning) in columns.items()}
    names = {"table_name": ("VARCHAR", "name of a table of the export")}
    return [
        table("options", "10_source", "what the user chose, one row; NULL for what was left to gapfinder", typed, [row]),
        table("recorded_tables", "10_source", "the tables that the trace has", names, [(name,) for name in sorted(tables)]),
    ]


@interruptible()
def read(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    options: Options,
    config: Config,
    progress: Callable[[str], None],
    *,
    comments: bool = False,
    unsafe: bool = False,
    for_conversion: bool = False,
    limit_bytes: int | None = None,
) -> tuple[Runner, set[str]]:
    """Fill an empty database with a trace; returns the runner that makes its relations, and the names of its tables.

    `progress` is called with a few words at each stage. With `comments`, relations and columns get their documentation.
    With `unsafe`, SQL may use files and the network. With `for_conversion`, the whole trace is read, whatever the window, and
    only the strings and payloads that `unused.sql` leaves. The user's own causes may not make the process larger than
    `limit_bytes`. Raises TraceError if the trace is unusable, UsageError if the options or the user's own causes do not fit it.
    """
    for setting in SETTINGS:
        connection.execute(f"SET GLOBAL {setting}")
    own = [cause for cause in config.causes.values() if isinstance(cause, OwnCause)]
    for cause in own:
        check_statements(connection, cause)
    stages = Stages(progress)
    with opened(path, progress) as source:
        progress("reading the trace")
        connection.execute(f"SET GLOBAL max_temp_directory_size = '{_spilled_bytes(path) // 10**6}MB'")
        read_range = None if for_conversion else ReadRange.of(options.window)
        rows = source.load(connection, read_range=read_range, for_conversion=for_conversion)
        if source.sql != NSYS_SQL:
            connection.execute(declaration())
        made = defined(config, options, rows, source.sql)
    tables = set(rows)
    if sum(rows.values()) < ROW_GROUP_ROWS:
        connection.execute("SET GLOBAL threads = 1")
    lock(connection, unsafe=unsafe)
    runner = Runner(connection, made, comments=comments, reach=stages.reach)
    cursor = connection.cursor().execute(f"SET search_path = '{relations.SCHEMA}'")
    if not read_range:
        runner.make(["kernels", "graph_launches", "copies", "calls", "call_families", "import_errors"])
        check_work(cursor, path, tables)
    if options.names_a_part:
        runner.make(["step_ranges", "steps", "analysed_time", "activities"])
        check_window(cursor, options)
    else:
        runner.make(["activities", "migrations"])
        check_activities(cursor, path)
    if options.window.regime:
        runner.make(["regimes"])
        check_regime(cursor, options.window.regime)
    for cause in own:
        _make_own(runner, cursor, cause, MemoryWatch(limit_bytes, f"{cause.file}: what it selects"))
    return runner, tables


def _spilled_bytes(path: Path) -> int:
    """How much a trace may spill to disk: one of few bytes that needs more was made to fill the disk."""
    files = path.rglob("*") if path.is_dir() else [path]
    return SPILLED_BYTES + SPILLED_PER_BYTE * sum(file.stat().st_size for file in files if file.is_file())


def _make_own(runner: Runner, cursor: duckdb.DuckDBPyConnection, cause: OwnCause, watch: MemoryWatch) -> None:
    """Make the relations of a user's own cause, so that whatever is wrong is reported with the name of the file."""
    try:
        runner.make({view.name for view in cause.relations} | ({"segments"} if cause.has("rules") else set()), watch)
        check_rows(cursor, cause)
    except duckdb.Error as error:
        raise UsageError(f"{cause.file}: {first_line(error)}") from error
    except UsageError as error:
        raise UsageError(f"{cause.file}: {str(error).removeprefix(f'{cause.file}: ')}") from error
    except CycleError as error:
        raise UsageError(f"{cause.file}: what it reads is made of its own rules: {' from '.join(error.args[1])}") from error
