"""`gapfinder sql`: what it writes, in every format, from every kind of trace."""

import io
import json
import subprocess

import polars as pl
import pytest
from processes import GAPFINDER, TIMEOUT_S, Sandbox, needs_nsys
from synthetic import MS, Synthetic
from test_parquet import write_parquet
from traces import EXPORT, REPORT, analysis

GAPS = "SELECT gap_id, cause, length_ns, before, nvtx FROM gaps ORDER BY gap_id"


@pytest.fixture
def sandbox(tmp_path):
    return Sandbox(tmp_path)


@pytest.fixture(scope="module")
def gaps():
    with analysis(EXPORT) as trace:
        return trace.sql(GAPS)


def asked(sandbox, *arguments, stdin=""):
    done = subprocess.run(
        [*GAPFINDER, "sql", *map(str, arguments)],
        input=stdin, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, env=sandbox.environment, cwd=sandbox.work,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(sandbox, *arguments):
    done = sandbox.gapfinder("sql", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr


def test_csv_can_be_read_back(sandbox, gaps):
    read = pl.read_csv(io.StringIO(asked(sandbox, EXPORT, GAPS, "--format", "csv")))
    assert read.rows() == gaps.rows()


def test_json_can_be_read_back(sandbox, gaps):
    assert json.loads(asked(sandbox, EXPORT, GAPS, "--format", "json")) == gaps.to_dicts()


def test_parquet_can_be_read_back(sandbox, gaps):
    assert asked(sandbox, EXPORT, GAPS, "--format", "parquet", "-o", "gaps.parquet") == ""
    read = pl.read_parquet(sandbox.work / "gaps.parquet")
    assert read.rows() == gaps.rows()
    assert read.schema["length_ns"] == pl.Int64


def test_a_table_aligns_numbers_and_shows_null(sandbox):
    query = "SELECT * FROM (VALUES (5, 'a', NULL), (NULL, NULL, 1.5)) AS t(n, name, share)"
    assert asked(sandbox, EXPORT, query) == "   n  name  share\n   5  a      NULL\nNULL  NULL    1.5\n"


def test_a_table_says_what_it_leaves_out(sandbox):
    lines = asked(sandbox, EXPORT, "FROM range(3000)").splitlines()
    assert len(lines) == 1 + 1000 + 2
    assert lines[-1].startswith("2,000 rows more")
    assert asked(sandbox, EXPORT, "SELECT 1 AS a WHERE false") == "a\n\nno rows\n"


def test_lists_and_structs_and_bytes(sandbox):
    query = "SELECT [1, NULL] AS l, {'a': 'é'} AS s, 'x'::BLOB AS b, INTERVAL 1 DAY AS i"
    assert asked(sandbox, EXPORT, query, "--format", "csv") == 'l,s,b,i\n"[1, null]","{""a"": ""é""}",78,1 day\n'
    rows = json.loads(asked(sandbox, EXPORT, query, "--format", "json"))
    assert rows == [{"l": [1, None], "s": {"a": "é"}, "b": "78", "i": "1 day"}]


def test_statements_in_a_file_and_from_standard_input(sandbox):
    text = "-- the first; of two\nSELECT ';' AS a;\nSELECT 2 AS b\n"
    (sandbox.work / "two.sql").write_text(text)
    expected = "a\n;\nb\n2\n"
    assert asked(sandbox, EXPORT, "-f", "two.sql", "--format", "csv") == expected
    assert asked(sandbox, EXPORT, "--format", "csv", stdin=text) == expected
    asked(sandbox, EXPORT, "-f", "two.sql", "--format", "csv", "-o", "out.csv")
    assert (sandbox.work / "out.csv").read_text() == expected


def test_mistakes_are_one_line(sandbox):
    assert "Referenced column" in refused(sandbox, EXPORT, "SELECT xx FROM gaps")
    assert "syntax error" in refused(sandbox, EXPORT, "SELEC")
    assert "name a file with -o" in refused(sandbox, EXPORT, GAPS, "--format", "parquet")
    assert "cannot be read" in refused(sandbox, EXPORT, "-f", "none.sql")
    assert "leave one out" in refused(sandbox, EXPORT, "SELECT 1", "-f", "none.sql")
    assert "is the trace itself" in refused(sandbox, EXPORT, "SELECT 1", "-o", EXPORT)
    assert "one statement" in refused(sandbox, EXPORT, "SELECT 1; SELECT 2", "--format", "parquet", "-o", "x.parquet")
    assert "Could not convert" in refused(sandbox, EXPORT, "SELECT CAST(name AS INTEGER) FROM kernels")


def test_a_parquet_folder_gives_the_same(sandbox, tmp_path, gaps):
    folder = write_parquet(EXPORT, tmp_path / "folder")
    assert json.loads(asked(sandbox, folder, GAPS, "--format", "json")) == gaps.to_dicts()


@needs_nsys
def test_a_report_gives_the_same(sandbox, gaps):
    assert json.loads(asked(sandbox, REPORT, GAPS, "--format", "json")) == gaps.to_dicts()


def test_no_control_character_reaches_the_table(sandbox, tmp_path):
    trace = Synthetic()
    trace.kernel(0, MS, launched=(0, 1), name="\x1b]0;title\x07evil\nrow")
    path = trace.write(tmp_path / "evil.sqlite")
    assert asked(sandbox, path, "SELECT name FROM kernels") == "name\n�]0;title�evil�row\n"


def test_sums_are_integers_and_equal_names_are_told_apart():
    with analysis(EXPORT) as trace:
        frame = trace.sql("SELECT sum(length_ns) AS ns, 1.5 AS d, 2 AS d, 1 AS ns, 3 AS d_1 FROM gaps")
    assert frame.schema == {"ns": pl.Int64, "d": pl.Float64, "d_2": pl.Int32, "ns_1": pl.Int32, "d_1": pl.Int32}


def test_order_is_kept_where_columns_are_renamed():
    with analysis(EXPORT) as trace:
        frame = trace.sql("SELECT range AS n, range AS n FROM range(500000) ORDER BY n DESC")
    assert frame["n"].is_sorted(descending=True)
