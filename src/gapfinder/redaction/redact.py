"""Redacts a trace. The redacted export gets its final name when it is complete."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from gapfinder.errors import UsageError
from gapfinder.ingest.nsys.load import NSYS_SQL, damaged, load
from gapfinder.ingest.nsys.trace import NsysTrace
from gapfinder.ingest.source import opened
from gapfinder.pipeline import relations
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import generated, layers
from gapfinder.pipeline.relations import by_name, of_folder
from gapfinder.pipeline.runner import Runner
from gapfinder.redaction.texts import TextRedactor
from gapfinder.redaction.write import write
from gapfinder.system.locking import lock
from gapfinder.system.memory import MemoryBudget
from gapfinder.system.writing import check_free, check_name, written

SQL = relations.folder() / "redaction"
COLUMNS = "columns.sql"  # columns of the export that gapfinder does not read, and that other tools need


def redact(
    path: Path, target: Path, config: Config, progress: Callable[[str], None], *, key: bytes | None = None, force: bool = False
) -> None:
    """Write the shareable part of the trace at `path` to `target`, an SQLite file. With a `key`, codes replace names.

    An existing target is replaced only with `force`. Raises UsageError or OutputError if the target cannot be written, UsageError
    if a name cannot be coded, TraceError if the trace cannot be read.
    """
    _check(target, force=force)
    native = [pattern for cause in config.causes.values() for pattern in (*cause.libraries, *cause.functions)]
    frames = [pattern for cause in config.causes.values() for pattern in cause.frames]
    redactor = TextRedactor([*(pattern for patterns in config.patterns.values() for pattern in patterns), *native], key, frames)
    with (
        written(target) as redacted,
        closing(MemoryBudget(None)) as budget,
        closing(duckdb.connect(config=budget.settings)) as connection,
    ):
        with opened(path, progress) as source:
            progress("reading the trace")
            if not isinstance(source, NsysTrace):
                raise UsageError(f"{path} is not a trace of Nsight Systems: only such traces can be redacted")
            columns = source.tables.columns(connection)
            load(connection, source.tables, path, more_columns=(SQL / COLUMNS).read_text(encoding="utf-8"))
        try:
            _make_views(connection, redactor, config)
        except duckdb.Error as error:
            raise damaged(path, error) from error
        progress("writing")
        write(connection, columns, redacted, target)


def _make_views(connection: duckdb.DuckDBPyConnection, redactor: TextRedactor, config: Config) -> None:
    """Make the views in the schema `redacted`, which are written, and the table `texts.shown` with the redacted texts."""
    lock(connection)
    connection.execute("CREATE SCHEMA redacted; CREATE SCHEMA texts")
    views = by_name(view for folder in (SQL, NSYS_SQL, *layers()) for view in of_folder(folder)) | generated(config)
    runner = Runner(connection, views)
    connection.execute(f"SET schema = '{relations.SCHEMA}'")
    runner.make(["redacted.used_texts"])
    redacted = redactor.redact_all(connection.execute("SELECT text, use FROM redacted.used_texts").fetchall())
    columns = [[text for text, _ in redacted], [use for _, use in redacted], list(redacted.values())]
    connection.execute("CREATE TABLE texts.shown (text VARCHAR, use VARCHAR, shown VARCHAR)")
    connection.execute("INSERT INTO texts.shown SELECT unnest($1), unnest($2), unnest($3)", columns)
    runner.make(name for name in views if name.startswith("redacted."))


def _check(target: Path, *, force: bool) -> None:
    if target.is_dir():
        raise UsageError(f"{target} is a folder: name an SQLite file")
    check_name(target)
    check_free(target, force=force)
