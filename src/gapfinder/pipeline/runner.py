"""Makes the relations of a trace: each once, after those that it reads, and only if it is needed."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from threading import Lock
from typing import TYPE_CHECKING, Any

import duckdb

from gapfinder.errors import UsageError
from gapfinder.pipeline.column_meanings import document_columns
from gapfinder.pipeline.interval_macros import computed
from gapfinder.pipeline.relations import SCHEMA, Relation, closure, qualified
from gapfinder.system.ending import working
from gapfinder.system.interrupting import first_done
from gapfinder.system.memory import LOOK_EVERY_S, MemoryWatch
from gapfinder.system.timings import timed
from gapfinder.system.workers import workers

if TYPE_CHECKING:
    from concurrent.futures import Future

_WORD = re.compile(r"\w+")
THREADS = 2  # number of relations that are made in parallel: planning takes one core, and most of the time for a small trace


class Runner:
    """Makes the relations of one database. A relation never changes once it is made. Several threads may use a runner.

    With `comments`, relations and columns get their documentation. `reach` is called with the layer of each relation before it is
    made.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        relations: Mapping[str, Relation],
        *,
        schema: str = SCHEMA,
        comments: bool = False,
        reach: Callable[[str], None] = lambda layer: None,  # noqa: ARG005  nobody listens
    ) -> None:
        self.relations = relations
        self._connection = connection
        self._schema = schema
        self._comments = comments
        self._reach = reach
        self._made: set[str] = set()
        self._lock = Lock()
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")

    @property
    def made(self) -> frozenset[str]:
        """The relations that exist."""
        return frozenset(self._made)

    def make(self, wanted: Iterable[str], watch: MemoryWatch | None = None) -> None:
        """Make these relations, and everything that they read. Where SQL of the user is run, `watch` ends what takes too much."""
        wanted = {*wanted} - self._made
        if not wanted:
            return
        with self._lock:
            graph = TopologicalSorter(closure(self.relations, wanted, self._made))
            graph.prepare()
            cursors = [self._connection.cursor().execute(f"SET schema = '{self._schema}'") for _ in range(THREADS)]
            running: dict[Future[duckdb.DuckDBPyConnection], str] = {}
            ready: list[str] = []
            free = [*cursors]
            with workers(THREADS, cursors, *([watch.is_far_exceeded] if watch else [])) as pool:
                while graph.is_active():
                    ready += graph.get_ready()
                    while ready and free:
                        name = ready.pop(0)
                        self._reach(self.relations[name].folder)
                        running[pool.submit(self._create, free.pop(), self.relations[name])] = name
                    for done in first_done(running, watch.check, LOOK_EVERY_S) if watch else first_done(running):
                        free.append(done.result())
                        graph.done(running.pop(done))

    def make_all(self) -> None:
        """Make every relation."""
        self.make(self.relations)
        if self._comments:
            document_columns(self._connection, self.relations, self._schema)

    def make_for_own(self, query: str) -> None:
        """As `make_for`, for gapfinder's own queries. The query is parsed only if a word in it names a relation to make."""
        words = set(_WORD.findall(query))
        if not words.isdisjoint(name.removeprefix("main.") for name in self.relations.keys() - self._made):
            self.make_for(query, main_first=False)

    def make_for(self, query: str, *, main_first: bool) -> None:
        """Make all relations that a query reads. If the parser cannot tell which, make every relation.

        With `main_first`, a name without a schema is looked up in the schema `main` before `trace`.
        """
        found = mentions(self._connection, query)
        if found is None:
            self.make_all()
        else:
            asked = {name.lower() for name in found}  # SQL takes names in capitals, too
            in_main = {f"main.{name}" for name in asked if main_first and f"main.{name}" in self.relations}
            self.make((in_main | {name for name in asked if f"main.{name}" not in in_main}) & self.relations.keys())

    def _create(self, cursor: duckdb.DuckDBPyConnection, relation: Relation) -> duckdb.DuckDBPyConnection:
        with working(cursor), timed(relation.folder, relation.name), computed(cursor, relation.sql):
            cursor.execute(_parsed(relation.sql))
            self._made.add(relation.name)  # here, where no Ctrl-C comes in between
        if self._comments and relation.comments:
            cursor.execute(relation.comments)
        return cursor


@cache
def _parsed(sql: str) -> duckdb.Statement:
    """The statement that makes a relation, parsed once for all traces of a process: parsing takes a twelfth of a small trace."""
    (statement,) = duckdb.extract_statements(sql)
    return statement


def mentions(connection: duckdb.DuckDBPyConnection, query: str) -> set[str] | None:
    """The relations and macros that a SELECT names, in the form of `Relation.name`, found by DuckDB's parser.

    Texts and names in the arguments of table functions count, too, because macros take names of relations. None if the
    statement is not a SELECT, or lists relations. Raises UsageError if it nests too deep.
    """
    rows = connection.cursor().execute("SELECT json_serialize_sql($1)", [query]).fetchall()
    try:
        tree = json.loads(rows[0][0])
    except RecursionError as error:
        raise UsageError("the SQL nests too deep: name its parts in WITH, and give many terms as a list") from error
    if tree["error"]:
        return None
    found: set[str] = set()
    for node in _nodes(tree):
        match node:
            case {"type": "SHOW_REF", "show_type": "SHOW_SPECIAL"}:
                return None
            case {"type": "BASE_TABLE" | "SHOW_REF", "schema_name": str(schema), "table_name": str(name)} if name:
                found.add(qualified(name, schema))
            case {"class": "FUNCTION", "function_name": str(name), "schema": str(schema)}:
                if name.startswith("duckdb_") or name == "query":
                    return None
                found.add(qualified(name, schema))
            case {"type": "TABLE_FUNCTION", "function": {"arguments": arguments}}:
                texts = {node["text"] for node in _nodes(arguments) if node.get("kind") == "STRING"}
                names = {".".join(node["column_names"]) for node in _nodes(arguments) if node.get("class") == "COLUMN_REF"}
                found |= {name.removeprefix(f"{SCHEMA}.") for name in texts | names}
    return found


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object in a parse tree."""
    unseen = [tree]
    while unseen:
        match unseen.pop():
            case dict() as node:
                yield node
                unseen += node.values()
            case list() as values:
                unseen += values
