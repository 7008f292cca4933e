"""The SQL files: one relation each, made once from what it says that it reads, and documented."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import duckdb
import pytest

from gapfinder.fleet import catalogue as fleet_catalogue
from gapfinder.ingest.nsys.load import declaration
from gapfinder.options import Options
from gapfinder.pipeline import relations
from gapfinder.pipeline.catalogue import catalogue
from gapfinder.pipeline.cause_spec import VIEWS
from gapfinder.pipeline.causes import built_in
from gapfinder.pipeline.column_meanings import COLUMNS, usual_meanings
from gapfinder.pipeline.config import read_config
from gapfinder.pipeline.database import defined
from gapfinder.pipeline.interval_macros import CALL
from gapfinder.pipeline.relations import EVERYTHING, by_name, of_text, qualified
from gapfinder.pipeline.runner import Runner, mentions

HOME = relations.folder()
# These files fill tables, or prepare them to be filled, before any relation is made.
LOADING = {
    *(HOME / "trace/10_source/nsys/export").glob("*.sql"),
    HOME / "job/tables.sql",
    HOME / "fleet/kept.sql",
    HOME / "redaction/columns.sql",
}
FACTS = re.compile(r"\A/\* cause\n.*?^\*/\n", re.DOTALL | re.MULTILINE)  # what a cause says before its SQL
# What stands before the query of a relation.
QUERY = re.compile(r"^CREATE (?:TABLE|VIEW|MACRO) [^ (]+(?:\(.*?\))? AS(?: TABLE)?\s", re.MULTILINE)
SELECTS = ("TABLE", "VIEW")

LOADED = ("export.", "ranks.", "kept.", "texts.")  # schemas of tables that are loaded, and made by no file of a layer


@dataclass(frozen=True)
class SqlFile:
    """A file of relations. `scope` is the part of `sql/` whose names it may use; `layer` is its folder, for order."""

    path: Path
    scope: str
    layer: str

    @cached_property
    def text(self):
        return FACTS.sub("", self.path.read_text())

    @property
    def is_cause(self):
        return self.layer == "40_causes"

    @cached_property
    def relations(self):
        return of_text(self.text, self.layer)

    def __str__(self):
        return str(self.path.relative_to(HOME))


def sql_files():
    found = []
    for part in ("trace", "views", "job", "fleet", "redaction"):
        for path in sorted((HOME / part).rglob("*.sql")):
            if path not in LOADING:
                layer = path.relative_to(HOME / part).parts[0] if part == "trace" else part
                found.append(SqlFile(path, "trace" if part == "views" else part, layer))
    return found


def relations_of(files):
    return [(file, relation) for file in files for relation in file.relations]


FILES = sql_files()
CAUSES = [file for file in FILES if file.is_cause]


@cache
def stated():
    """What no file makes: the relations that say to SQL what the user chose and what the files of causes say."""
    names = {relation.name for file in FILES for relation in file.relations}
    every = defined(read_config(users=False), Options(), ())
    return {name: relation for name, relation in every.items() if name not in names}


@cache
def names(scope):
    """Names that the files of a part of `sql/` may use, but for those of loaded tables."""
    own = {relation.name for file in FILES if file.scope == scope for relation in file.relations}
    if scope == "trace":
        return own | stated().keys()
    return own | names("trace") if scope == "redaction" else own


def query_of(relation):
    """The query of a relation, as a SELECT."""
    kind = relation.sql[QUERY.search(relation.sql).start() :].split()[1]
    query = relation.sql[QUERY.search(relation.sql).end() :].rstrip().removesuffix(";")
    return query if kind in SELECTS or re.match(r"(--.*\n|\s)*(SELECT|WITH|FROM)\b", query) else f"SELECT {query}"


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as connection:
        yield connection


def own_names(connection, query):
    """The names of the common table expressions in a query."""
    [(text,)] = connection.execute("SELECT json_serialize_sql($1)", [query]).fetchall()
    found, left = set(), [json.loads(text)]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            found |= {entry["key"] for entry in node.get("cte_map", {}).get("map", [])}
        left += node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    return found


def test_file_makes_the_one_relation_that_it_is_named_after():
    for file in FILES:
        made = [relation.name.rpartition(".")[2] for relation in file.relations]
        if file.is_cause:
            assert set(made) <= {f"{kind}_{file.path.stem}" for kind in VIEWS}
            assert len(set(made)) == len(made)
        else:
            assert made == [file.path.stem]


def test_file_creates_and_comments_and_does_nothing_else(database):
    for file in FILES:
        statements = database.extract_statements(file.text)
        creating = [statement for statement in statements if statement.type == duckdb.StatementType.CREATE]
        others = [statement.query.strip() for statement in statements if statement.type != duckdb.StatementType.CREATE]
        assert len(creating) == len(file.relations), str(file)
        assert [query for query in others if not query.startswith("COMMENT ON ")] == [], str(file)


def test_intervals_are_read_from_relations_and_in_tables():
    """The answers of these macros are computed before the statement that makes a relation, and not for the query of a view."""
    for _, relation in relations_of(FILES):
        for macro, *names in CALL.findall(relation.sql):
            assert macro in relation.reads, relation.name
            assert {name for name in names if name} <= relation.reads, relation.name
            assert "CREATE TABLE" in relation.sql, relation.name


def test_each_name_is_made_once():
    for scope in ("trace", "job", "fleet", "redaction"):
        made = [relation.name for file in FILES if file.scope == scope for relation in file.relations]
        assert sorted(set(made)) == sorted(made)


def test_file_states_what_it_reads(database):
    for file, relation in relations_of(FILES):
        query = query_of(relation)
        found = mentions(database, query)
        if found is None:
            assert relation.reads == {EVERYTHING}
            continue
        own = own_names(database, query)
        assert own & names(file.scope) == set(), f"a name in WITH of {file} hides a relation"
        known = {name for name in found if name in names(file.scope) or name.startswith((*LOADED, "redacted."))}
        assert relation.reads == known - own, str(file)


@cache
def files_of_a_trace():
    """The file of each relation of a trace."""
    return {relation.name: file for file in FILES if file.scope == "trace" for relation in file.relations}


def layer_of(name):
    """The layer in which a relation of a trace is made. None for what is only stated, which every layer may read."""
    if name in stated():
        return layer_of_cause_view(name) if stated()[name].reads else None
    file = files_of_a_trace()[name]
    return layer_of_cause_view(name) if file.is_cause else file.layer


def layer_of_cause_view(name):
    """The rules of a cause come before the ledger; its fix, lines and notes read the evidence, too."""
    return "40_causes" if name.startswith("rules") else "52_evidence"


def test_layer_reads_itself_and_lower_layers():
    files = [file for file in FILES if file.scope == "trace" and file.layer != "views"]
    for file, relation in relations_of(files):
        own = layer_of_cause_view(relation.name) if file.is_cause else file.layer
        read = [name for name in relation.reads if name != EVERYTHING and not name.startswith(LOADED)]
        higher = {name: layer for name in read if (layer := layer_of(name)) and layer > own}
        assert higher == {}, str(file)


def test_only_the_source_reads_the_export():
    files = [file for file in FILES if file.layer not in {"10_source", "redaction"}]
    read = {(str(file), name) for file, relation in relations_of(files) for name in relation.reads}
    assert [each for each in read if each[1].startswith("export.")] == []


def test_file_begins_with_a_comment():
    assert [str(file) for file in FILES if not file.is_cause and not re.match(r"-- (?!reads: )", file.text)] == []


def test_cause_that_explains_segments_has_a_fix():
    for name in (file.path.stem for file in CAUSES):
        cause = built_in()[name]
        assert bool(cause.has("fix") or cause.usual_fix) == bool(cause.states or cause.has("rules")), name


def without_comment(connection, schema):
    """The relations of a schema, and their columns, of which a database says nothing."""
    found = connection.execute(
        """
        SELECT table_name, comment FROM duckdb_tables() WHERE schema_name = $1
        UNION ALL SELECT view_name, comment FROM duckdb_views() WHERE schema_name = $1 AND NOT internal
        UNION ALL
        SELECT table_name || '.' || column_name, comment FROM duckdb_columns() WHERE schema_name = $1 AND NOT internal
        """,
        [schema],
    )
    return [name for name, comment in found.fetchall() if not comment]


@pytest.fixture(scope="module")
def empty_trace():
    """A database with every relation of a trace that holds nothing."""
    with duckdb.connect() as connection:
        connection.execute(declaration())
        runner = Runner(connection, defined(read_config(users=False), Options(), ()), comments=True)
        runner.make_all()
        yield connection, runner


def test_relations_are_made_under_the_names_that_their_files_state(empty_trace):
    connection, runner = empty_trace
    found = connection.execute("""
        SELECT schema_name, table_name FROM duckdb_tables()
        UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal
        UNION ALL SELECT schema_name, function_name FROM duckdb_functions() WHERE function_type LIKE '%macro' AND NOT internal
    """)
    made = {qualified(name, schema) for schema, name in found.fetchall()}
    assert {name for name in made if not name.startswith(LOADED)} == runner.relations.keys()


def assert_explained(documented):
    """Each relation of a catalogue and each of its columns has a meaning."""
    assert [relation.name for relation in documented if not relation.meaning] == []
    assert [(relation.name, column.name) for relation in documented for column in relation.columns if not column.meaning] == []


def test_every_relation_and_column_of_a_trace_has_a_comment(empty_trace):
    assert without_comment(empty_trace[0], "trace") == []
    assert_explained(catalogue().values())


def test_catalogue_describes_the_relation_that_a_plain_name_means():
    """A relation with names hides the one with ids."""
    assert [column.name for column in catalogue()["kernels"].columns if column.name in {"name", "name_id"}] == ["name"]


def test_every_relation_and_column_of_a_fleet_has_a_comment():
    documented = fleet_catalogue.catalogue().values()
    assert documented
    assert_explained(documented)


@pytest.fixture(scope="module")
def empty_job():
    """A database with every relation of a job that holds nothing."""
    with duckdb.connect() as connection:
        connection.execute((HOME / "job/tables.sql").read_text())
        found = by_name(relation for file in FILES if file.scope == "job" for relation in file.relations)
        Runner(connection, found, schema="main", comments=True).make_all()
        yield connection


def test_every_relation_and_column_of_a_job_has_a_comment(empty_job):
    assert without_comment(empty_job, "main") == []
    assert without_comment(empty_job, "ranks") == []


def test_no_file_repeats_what_the_column_that_it_reads_means(empty_trace):
    connection, runner = empty_trace
    meanings = {}
    for schema, table, column, comment in connection.execute(COLUMNS).fetchall():
        meanings.setdefault(qualified(table, schema), {})[column] = comment
    repeated = []
    for file in FILES:
        for name, column, meant in re.findall(r"COMMENT ON COLUMN (\S*)\.\"?(\w+)\"? IS '(.*)';", file.text):
            relation = runner.relations.get(name.replace('"', ""))
            reads = relation.reads if relation else ()
            found = {meanings[read][column] for read in reads if column in meanings.get(read, {})}
            repeated += [(name, column)] if found == {meant} and column not in usual_meanings() else []
    assert repeated == []


def test_usual_meaning_is_stated_once_and_holds_in_several_relations(empty_job):
    """What `columns.toml` says, no file repeats; what it says holds for more than one relation of a trace, job or fleet."""
    repeated = r"COMMENT ON COLUMN \S*\.\"?(\w+)\"? IS '(.*)';"
    stated = [(file.path.name, *found) for file in FILES for found in re.findall(repeated, file.text)]
    assert [(file, name) for file, name, meant in stated if usual_meanings().get(name) == meant] == []
    documented = [*catalogue().values(), *fleet_catalogue.catalogue().values()]
    columns = [(column.name, column.meaning) for relation in documented for column in relation.columns]
    columns += empty_job.execute("SELECT column_name, comment FROM duckdb_columns() WHERE NOT internal").fetchall()
    used = Counter(name for name, meant in columns if usual_meanings().get(name) == meant)
    assert {name for name in usual_meanings() if used[name] < 2} == set()
