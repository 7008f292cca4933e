"""Writes the redacted export: under a temporary name beside the target, which it gets when all is written."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb

from gapfinder.errors import UsageError
from gapfinder.ingest.nsys.load import LOCKED, damaged, load
from gapfinder.ingest.nsys.load import SQL as NSYS
from gapfinder.ingest.nsys.trace import NsysTrace
from gapfinder.ingest.source import opened
from gapfinder.pipeline import relations
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import INTERVALS
from gapfinder.pipeline.relations import by_name, of_folder
from gapfinder.pipeline.runner import Runner
from gapfinder.redaction.texts import Texts
from gapfinder.redaction.write import write
from gapfinder.system.memory import Room
from gapfinder.system.scratch import scratch

SQL = relations.folder() / "redaction"
COLUMNS = "columns.sql"  # more columns of the export than gapfinder reads


def redact(
    path: Path, target: Path, config: Config, progress: Callable[[str], None], *, key: bytes | None = None, force: bool = False
) -> None:
    """Write what may be shared of the trace at `path` to `target`, an SQLite file; with a `key`, codes in place of names.

    What is there is replaced with `force` alone. Raises UsageError where the target cannot be or a name cannot be coded,
    TraceError where the trace cannot be read.
    """
    _check(path, target, force=force)
    texts = Texts([pattern for found in config.patterns.values() for pattern in found], key)
    with (
        scratch(beside=target) as beside,
        closing(Room(None)) as room,
        closing(duckdb.connect(config=room.settings)) as connection,
    ):
        with opened(path, progress) as source:
            progress("reading the trace")
            if not isinstance(source, NsysTrace):
                raise UsageError(f"{path} is no trace of Nsight Systems: only such traces can be redacted")
            columns = source.tables.columns(connection)
            load(connection, source.tables, path, beside=(SQL / COLUMNS).read_text())
        try:
            _choose(connection, texts)
        except duckdb.Error as error:
            raise damaged(path, error) from error
        progress("writing")
        made = beside / "made"
        write(connection, columns, made, target)
        made.replace(target)


def _choose(connection: duckdb.DuckDBPyConnection, texts: Texts) -> None:
    """Make the views of what is written, and say what their texts become."""
    for setting in LOCKED:
        connection.execute(f"SET GLOBAL {setting}")
    connection.execute("CREATE SCHEMA redacted; CREATE SCHEMA texts")
    made = by_name([*of_folder(SQL), *of_folder(NSYS), *of_folder(relations.folder() / INTERVALS)])
    runner = Runner(connection, made)
    connection.execute(f"SET schema = '{relations.SCHEMA}'")
    runner.make(["redacted.used_texts"])
    shown = texts.shown(connection.execute("SELECT text, use FROM redacted.used_texts").fetchall())
    columns = [[text for text, _ in shown], [use for _, use in shown], list(shown.values())]
    connection.execute("CREATE TABLE texts.shown (text VARCHAR, use VARCHAR, shown VARCHAR)")
    connection.execute("INSERT INTO texts.shown SELECT unnest($1), unnest($2), unnest($3)", columns)
    runner.make(name for name in made if name.startswith("redacted."))


def _check(path: Path, target: Path, *, force: bool) -> None:
    if not target.parent.is_dir():
        raise UsageError(f"{target} cannot be written: there is no folder {target.parent}")
    if target.is_dir():
        raise UsageError(f"{target} is a folder: name an SQLite file")
    if target.resolve().is_relative_to(path.resolve()) or (target.exists() and path.exists() and target.samefile(path)):
        raise UsageError(f"{target} is the trace itself, or in its folder: name another place")
    if target.exists() and not force:
        raise UsageError(f"{target} is there already: give --force to replace it")
