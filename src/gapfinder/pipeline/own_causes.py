"""The user's own causes, each in a file of its own. Their SQL is foreign: it is checked before and after it runs."""

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import duckdb

from gapfinder.errors import UsageError, first_line
from gapfinder.pipeline.cause_facts import read
from gapfinder.pipeline.cause_spec import BASES, FOLDER, LAST_PRIORITY, VIEWS, CauseSpec
from gapfinder.pipeline.patterns import check_patterns
from gapfinder.pipeline.relations import Relation
from gapfinder.pipeline.runner import mentions
from gapfinder.pipeline.stated import casts
from gapfinder.query.statements import QUOTED, refused_part, statements_of, without_comments

_VIEW = re.compile(rf"CREATE\s+VIEW\s+(\w+)\s*(\((?:[^()\"]|{QUOTED.pattern})*\)\s*)?AS\b", re.IGNORECASE)
TEXTS = ("fix", "notes")  # the views that hold sentences, in their one column
MOST_TEXTS, MOST_CHARS = 100, 10_000  # rows of such a view, and characters of a sentence: nobody reads more


@dataclass(frozen=True)
class OwnCause(CauseSpec):
    """A cause in a file of the user's, whose views need not say what they read.

    Each of its views is made as a table, so that its SQL runs once: what was checked is what is read later.
    """

    MADE_AS: ClassVar[str] = "TABLE"
    file: Path = Path()

    def _views(self) -> list[Relation]:
        try:
            statements = self.statements()
        except duckdb.Error:  # check_statements reports it
            return []
        except UsageError as error:
            raise UsageError(f"{self.file}: {error}") from error
        kinds = self.kinds
        views = [(view, text) for text in statements if (view := _VIEW.match(text)) and view[1].lower() in kinds]
        with duckdb.connect() as connection:
            return [
                self._made_as_table(connection, kinds[view[1].lower()], text[view.end() :], view[2] or "") for view, text in views
            ]

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each view that its file may have, by name."""
        return {f"{kind}_{self.cause}": kind for kind in VIEWS}

    def statements(self, connection: duckdb.DuckDBPyConnection | None = None) -> list[str]:
        """The statements of its file, without comments. Raises as `statements_of`."""
        return [without_comments(statement) for statement in statements_of(self.sql, connection)]

    def _made_as_table(self, connection: duckdb.DuckDBPyConnection, kind: str, query: str, names: str) -> Relation:
        """The relation for a view that is this query, whose columns may have names. Rows without a value are left out.

        A rule without a value stays, as `check_rows` tells it.
        """
        name, columns = f"{kind}_{self.cause}", VIEWS[kind][1]
        there = "true" if kind == "rules" else " AND ".join(f"{column} IS NOT NULL" for column in columns)
        sql = f"CREATE TABLE {name} AS\nSELECT {casts(columns)} FROM ({query}) AS own {names} WHERE {there}"
        return Relation(name, Path(FOLDER).name, self._read(connection, query), sql)

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
        check_patterns((*spec.range_names, *spec.frames, *spec.libraries, *spec.functions))
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from error
    return OwnCause(**{field.name: getattr(spec, field.name) for field in fields(spec)}, file=file)


def check_statements(connection: duckdb.DuckDBPyConnection, cause: OwnCause) -> None:
    """Raise UsageError if a user's own file is not SQL, or has other statements than a cause has. This needs no trace."""
    try:
        statements = cause.statements(connection)
    except (duckdb.Error, UsageError) as error:
        raise UsageError(f"{cause.file}: {first_line(error)}") from error
    views = cause.kinds
    found: list[str] = []
    for statement in statements:
        view = _VIEW.match(statement)
        found += [view[1].lower()] if view else []
        if not (view and found[-1] in views) and not re.match(r"COMMENT\s+ON\b", statement, re.IGNORECASE):
            raise UsageError(f"{cause.file}: a cause is views ({', '.join(views)}) and comments, and no more")
        if refused := refused_part(connection, statement):
            raise UsageError(f"{cause.file}: a cause may only read relations, and {refused}")
    if twice := next((name for name in found if found.count(name) > 1), None):
        raise UsageError(f"{cause.file}: there are two views {twice}: join their rows by UNION ALL")


def check_rows(connection: duckdb.DuckDBPyConnection, cause: OwnCause) -> None:
    """Raise UsageError if the views of a user's own cause have wrong values."""
    if cause.has("rules"):
        wrong = connection.execute(
            f"SELECT 1 FROM rules_{cause.cause} WHERE segment_id IS NULL OR basis IS NULL OR basis NOT IN {BASES} "
            f"OR coalesce(priority NOT BETWEEN 0 AND {LAST_PRIORITY}, true) LIMIT 1"
        )
        if wrong.fetchall():
            raise UsageError(f"a rule has a segment_id, a priority of 0 to {LAST_PRIORITY}, and a basis: {', '.join(BASES)}")
        unknown = connection.execute(f"SELECT segment_id FROM rules_{cause.cause} ANTI JOIN segments USING (segment_id) LIMIT 1")
        if row := unknown.fetchone():
            raise UsageError(f"a rule is of segment {row[0]}, and the relation segments has none of that segment_id")
    for kind in TEXTS:
        if cause.has(kind):
            (column,) = VIEWS[kind][1]
            sizes = f"SELECT count(*), coalesce(max(length({column})), 0) FROM {kind}_{cause.cause}"
            ((rows, chars),) = connection.execute(sizes).fetchall()
            if rows > MOST_TEXTS or chars > MOST_CHARS:
                raise UsageError(
                    f"{kind}_{cause.cause} has {rows:,} rows, the longest of {chars:,} characters, "
                    f"and may have {MOST_TEXTS} rows of {MOST_CHARS:,}"
                )
