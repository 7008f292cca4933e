"""The user's own causes, each in a file of its own. Their SQL is foreign: it is checked before and after it runs."""

import re
from dataclasses import dataclass, fields
from pathlib import Path

import duckdb

from gapfinder.errors import UsageError, first_line
from gapfinder.pipeline.cause_facts import read
from gapfinder.pipeline.cause_spec import BASES, FOLDER, LAST_PRIORITY, VIEWS, CauseSpec
from gapfinder.pipeline.patterns import check_patterns
from gapfinder.pipeline.relations import Relation
from gapfinder.pipeline.runner import mentions
from gapfinder.query.statements import refused_function, statements_of

_VIEW = re.compile(r"CREATE\s+VIEW\s+(\w+)\s*(?:\([^)]*\)\s*)?AS\b", re.IGNORECASE)


@dataclass(frozen=True)
class OwnCause(CauseSpec):
    """A cause in a file of the user's, whose views need not say what they read."""

    file: Path = Path()

    def _views(self) -> list[Relation]:
        try:
            statements = statements_of(self.sql)
        except duckdb.Error:  # check_statements reports it
            return []
        except UsageError as error:
            raise UsageError(f"{self.file}: {error}") from error
        with duckdb.connect() as connection:
            return [
                Relation(view[1].lower(), Path(FOLDER).name, self._read(connection, text[view.end() :]), text)
                for text in statements
                if (view := _VIEW.match(text))
            ]

    def _read(self, connection: duckdb.DuckDBPyConnection, query: str) -> frozenset[str]:
        """The names in a query of the user's. Not all of them need to be relations. Raises UsageError if it nests too deep."""
        try:
            return frozenset(name.lower() for name in mentions(connection, query) or ())
        except UsageError as error:
            raise UsageError(f"{self.file}: {error}") from error


def read_own_cause(file: Path) -> OwnCause:
    """The cause in a file of the user's. Raises UsageError, which names the file, if its facts are wrong."""
    spec = read(file)
    try:
        check_patterns((*spec.names, *spec.frames, *spec.libraries, *spec.functions))
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from error
    return OwnCause(**{field.name: getattr(spec, field.name) for field in fields(spec)}, file=file)


def check_statements(connection: duckdb.DuckDBPyConnection, cause: OwnCause) -> None:
    """Raise UsageError if a user's own file is not SQL, or has other statements than a cause has. This needs no trace."""
    try:
        statements = statements_of(cause.sql, connection)
    except (duckdb.Error, UsageError) as error:
        raise UsageError(f"{cause.file}: {first_line(error)}") from error
    views = [f"{kind}_{cause.cause}" for kind in VIEWS]
    for statement in statements:
        view = _VIEW.match(statement)
        if not (view and view[1].lower() in views) and not re.match(r"COMMENT\s+ON\b", statement, re.IGNORECASE):
            raise UsageError(f"{cause.file}: a cause is views ({', '.join(views)}) and comments, and no more")
        if refused := refused_function(connection, statement):
            raise UsageError(f"{cause.file}: a cause may only read relations, and {refused}")


def check_rows(connection: duckdb.DuckDBPyConnection, cause: OwnCause) -> None:
    """Raise UsageError if the views of a user's own cause have wrong columns or values.

    Raises an error of DuckDB if they cannot be read.
    """
    if cause.has("rules"):
        wrong = connection.execute(
            f"SELECT 1 FROM (SELECT CAST(segment_id AS INTEGER) AS segment_id, CAST(priority AS INTEGER) AS priority, basis "
            f"FROM rules_{cause.cause}) WHERE segment_id IS NULL OR basis IS NULL OR basis NOT IN {BASES} "
            f"OR coalesce(priority NOT BETWEEN 0 AND {LAST_PRIORITY}, true) LIMIT 1"
        )
        if wrong.fetchall():
            raise UsageError(
                f"{cause.file}: a rule has a segment_id, a priority of 0 to {LAST_PRIORITY}, and a basis: {', '.join(BASES)}"
            )
    for kind, column in (("fix", "fix"), ("unknown", "reason"), ("notes", "note")):
        if cause.has(kind):
            rows = connection.execute(f"SELECT {column} FROM {kind}_{cause.cause}").fetchall()
            if not all(isinstance(text, str | None) for (text,) in rows):
                raise UsageError(f"{cause.file}: the {column} in {kind}_{cause.cause} is a text")
