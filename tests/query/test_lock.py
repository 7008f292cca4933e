"""What a user's SQL may not do to a trace, to files and to the machine; and that --unsafe lifts it."""

from pathlib import Path

import polars as pl
import pytest
from processes import Sandbox
from traces import EXPORT, analysis

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.errors import UsageError

READ = [
    "FROM gaps LIMIT 1",
    "VALUES (1)",
    "TABLE steps",
    "DESCRIBE gaps",
    "SHOW TABLES",
    "SUMMARIZE gaps",
    "WITH g AS (FROM gaps) FROM g",
    "PIVOT gaps ON cause USING count(*)",
    "FROM (PIVOT gaps ON cause USING count(*))",
    "UNPIVOT (SELECT 1 AS a) ON a",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT count(*) FROM gaps",
    "EXPLAIN (ANALYZE, FORMAT json) FROM gaps",
    "EXPLAIN /* why */ PIVOT gaps ON cause USING count(*)",
    "SELECT 'CREATE; enable_logging(' AS query, 1 AS checkpoint -- query(",
    "SELECT unnest([1, 2]) FROM range(3)",
    "SELECT 'é' AS \"naïve\"",
    "SELECT '`' AS \"a`b\", 'a\u200bb' AS \"c\u00a0d\" -- `",
    "SELECT 1 AS a\u0301",
]

REFUSED = {
    "a file": [
        "FROM read_csv('{file}')",
        "FROM read_text('{file}')",
        "FROM '{file}'",
        'FROM "{file}"',
        "FROM glob('{folder}/*')",
        "SELECT * FROM sqlite_scan('{file}', 'x')",
        "SELECT (SELECT content FROM read_text('{file}'))",
        "FROM sniff_csv('{file}')",
        "EXPLAIN FROM read_text('{file}')",
        "DESCRIBE FROM read_text('{file}')",
        "SUMMARIZE FROM '{file}'",
    ],
    "the end of the program": [
        "SELECT json_transform('1', repeat('[', 100000) || '\"INT\"' || repeat(']', 100000))",
        "SELECT repeat('[', 100000).json_contains('1')",
        "SELECT (repeat('[', 50000) || repeat(']', 50000))::JSON::VARIANT",
        "SELECT \"from_json\"('1', '\"INT\"')",
        "SELECT `json_contains`(repeat('[', 100000) || repeat(']', 100000), '1')",
        "SELECT (repeat('[', 50000) || repeat(']', 50000))::JSON::`VARIANT`",
        "SELECT /*'*/ json_contains\ufeff('[]', '1')",
        "SELECT json_serialize_plan('SELECT json_transform(''1'', repeat(''['', 100000) || ''1'' || repeat('']'', 100000))')",
    ],
    "the network": [
        "FROM 'https://example.com/a.parquet'",
        "FROM read_text('https://example.com')",
        "INSTALL httpfs",
        "LOAD httpfs",
        "FROM sqlite_scan('{folder}/in.sqlite', 'table')",
        "FROM read_avro('{folder}/in.avro')",
        "SELECT INET '1.2.3.4'",
    ],
    "the program and its environment": [
        "FROM secrets",
        "SELECT getenv('HOME')",
        "FROM pandas_scan(1)",
        "FROM arrow_scan(1, 1, 1)",
        'FROM "python_arrow_scan"(1)',
        "FROM duckdb_secrets()",
    ],
    "writing": [
        "COPY gaps TO '{folder}/out.csv'",
        "COPY (FROM gaps) TO '{folder}/out.parquet'",
        "EXPORT DATABASE '{folder}/out'",
        "IMPORT DATABASE '{folder}'",
        "ATTACH '{folder}/out.duckdb'",
        "DETACH memory",
        "CREATE TABLE mine AS FROM gaps",
        "CREATE TEMP TABLE mine AS FROM gaps",
        "CREATE TABLE mine AS PIVOT gaps ON cause USING count(*)",
        "CREATE TEMP TABLE mine AS PIVOT gaps ON cause USING count(*)",
        "CREATE OR REPLACE VIEW gaps AS SELECT 1",
        "INSERT INTO trace.options (device) VALUES (7)",
        "UPDATE trace.segments SET start_ns = 0",
        "DELETE FROM trace.segments",
        "DROP VIEW gaps",
        "ALTER TABLE trace.segments ADD COLUMN mine INTEGER",
        "COMMENT ON VIEW gaps IS 'mine'",
        "TRUNCATE trace.segments",
        "WITH w AS (DELETE FROM trace.segments RETURNING *) FROM w",
        "WITH w AS (WITH v AS (SELECT 1) INSERT INTO trace.options (device) VALUES (7) RETURNING *) FROM w",
        "WITH w AS (COPY (SELECT 1) TO '{folder}/out.csv') FROM w",
        "WITH w AS NOT MATERIALIZED /* ( */ ( -- x\nCOPY gaps TO '{folder}/out.csv') FROM w",
        "SELECT 1 WHERE EXISTS (WITH w(a) AS MATERIALIZED (copy gaps TO '{folder}/out.csv') FROM w)",
        "WITH w AS (COPY gaps TO '{folder}/out.csv') FROM (PIVOT gaps ON cause USING count(*))",
        "EXPLAIN ANALYZE WITH w AS (COPY (SELECT 1) TO '{folder}/out.csv') FROM w",
        "SELECT 1 AS a INTO mine",
        "EXPLAIN ANALYZE DELETE FROM trace.segments",
        "EXPLAIN ANALYZE CREATE TEMP TABLE mine AS FROM gaps",
        "EXPLAIN ANALYZE COPY gaps TO '{folder}/out.csv'",
        "EXPLAIN (ANALYZE) SET threads = 1",
        "SELECT 1; DROP VIEW gaps",
        "COMMIT",
        "COMMIT; DROP VIEW gaps",
        "BEGIN",
        "VACUUM",
        "CHECKPOINT",
    ],
    "settings": [
        "SET enable_external_access = true",
        "SET GLOBAL python_enable_replacements = true",
        "RESET enable_external_access",
        "SET threads = 1",
        "SET VARIABLE a = 1",
        "SET search_path = 'export'",
        "PRAGMA threads = 1",
        "PRAGMA enable_profiling",
        "USE trace",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        "CALL pragma_version()",
        "CALL enable_logging(storage = 'file', storage_path = '{folder}/log')",
        "FROM enable_logging(storage = 'file', storage_path = '{folder}/log')",
        "FROM \"enable_logging\" /* ( */ ('QueryLog')",
        "SELECT * FROM Enable_Profiling()",
        "SELECT $$ ( $$, E'\\' ', x FROM system.main.disable_logging() --'",
        "FROM query('FROM enable_logging()')",
        "FROM query_table('gaps')",
        "SELECT json_serialize_plan('FROM query($$FROM enable_logging()$$)')",
        "FROM flatten('1')",
        "FROM flatten('gaps.')",
        "FROM cover('select')",
        "FROM json_execute_serialized_sql(json_serialize_sql('FROM enable_logging()'))",
        "FROM checkpoint()",
        "EXPLAIN ANALYZE FROM enable_logging('QueryLog')",
        "PIVOT enable_logging('QueryLog') ON 1",
        "SELECT (FROM enable_logging('QueryLog'))",
        "FROM `enable_logging`('QueryLog', storage = 'stdout')",
        "FROM `query`($$FROM enable_logging()$$)",
        "/*'*/ FROM query\u200b('FROM enable_logging()')",
        "SELECT /*'*/ a FROM checkpoint\u2060() AS t(a) WHERE '' = ''",
        "/*'*/ FROM query\u00a0('SELECT 1')",
    ],
    "no statement": [
        "",
        " ; ",
        "-- nothing",
        "SELEC 1",
        "SELECT 1; SELECT 2",
        "SELECT ?",
        "SELECT 'open",
        "SELECT 1 FROM (",
        "\x00",
        "SELECT " + 50_000 * "(" + "1" + 50_000 * ")",
        "SELECT " + "||".join(500 * ["'x'"]),
        " UNION ALL ".join(2_000 * ["SELECT 1"]),
    ],
}
CASES = [pytest.param(query, id=f"{kind}: {query[:40]!a}") for kind, queries in REFUSED.items() for query in queries]


@pytest.fixture(scope="module")
def trace():
    with analysis(EXPORT) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "file.csv").write_text("secret\n42\n")
    return tmp_path


@pytest.mark.parametrize("query", READ)
def test_reading_is_allowed(trace, query):
    assert trace.sql(query).width


@pytest.mark.parametrize("query", CASES)
def test_all_else_is_refused_in_one_line(trace, folder, query):
    secrets = pl.DataFrame({"secret": [42]})  # a variable that DuckDB could take for a table
    with pytest.raises(UsageError) as refused:
        trace.sql(query.replace("{file}", f"{folder}/file.csv").replace("{folder}", str(folder)))
    assert "\n" not in str(refused.value)
    assert str(Path.home()) not in str(refused.value)
    assert "INSTALL" not in str(refused.value) or "INSTALL" in query
    assert [path.name for path in folder.iterdir()] == ["file.csv"]
    assert trace.sql("SELECT 1 AS one").to_dicts() == [{"one": 1}]
    assert secrets.height


def test_no_setting_names_the_users_home(trace):
    assert str(Path.home()) not in str(trace.tuples("SELECT * FROM duckdb_settings()"))


def test_what_was_tried_changed_nothing(folder):
    """On a trace of its own: the diagnosis, every row of a table, every view and every setting are as before."""
    with analysis(EXPORT) as trace:
        before = diagnose(trace), all_of(trace)
        for query in (query for queries in REFUSED.values() for query in queries):
            with pytest.raises(UsageError):
                trace.sql(query.replace("{file}", f"{folder}/file.csv").replace("{folder}", str(folder)))
        assert (diagnose(trace), all_of(trace)) == before


def all_of(trace):
    """Sums of the rows of each table, the text of each view, and the settings."""
    ask = trace.cursor("FROM duckdb_tables()")  # makes all of them
    tables = ask.execute("SELECT schema_name, table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
    rows = [ask.execute(f'SELECT count(*), bit_xor(hash(t)) FROM {schema}."{name}" AS t').fetchall() for schema, name in tables]
    views = ask.execute("SELECT schema_name, view_name, sql FROM duckdb_views() ORDER BY ALL").fetchall()
    return tables, rows, views, ask.execute("SELECT name, value FROM duckdb_settings() ORDER BY name").fetchall()


def test_unsafe_lifts_it(tmp_path):
    sandbox = Sandbox(tmp_path)
    (sandbox.work / "names.csv").write_text("cause,owner\ninput_pipeline,Ada\n")
    query = "COPY (SELECT DISTINCT owner FROM gaps JOIN 'names.csv' USING (cause)) TO 'owners.csv'"
    refused = sandbox.gapfinder("sql", EXPORT, query)
    assert (refused.returncode, refused.stderr) == (
        2,
        "gapfinder: without `unsafe`, SQL may only read the trace, and COPY does more\n",
    )
    done = sandbox.gapfinder("sql", EXPORT, query, "--unsafe")
    assert (done.returncode, done.stderr) == (0, "")
    assert (sandbox.work / "owners.csv").read_text() == "owner\nAda\n"


def test_a_table_of_the_users_own_is_not_in_the_trace(tmp_path):
    before = EXPORT.read_bytes(), EXPORT.stat().st_mtime_ns
    assert Sandbox(tmp_path).gapfinder("sql", EXPORT, "CREATE TABLE mine AS SELECT 1 AS a", "--unsafe").returncode == 0
    assert (EXPORT.read_bytes(), EXPORT.stat().st_mtime_ns) == before
