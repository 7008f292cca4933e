"""`gapfinder sql`: what it writes, in every format, from every kind of trace."""

import io
import json
import subprocess

import polars as pl
import pytest
from processes import GAPFINDER, TIMEOUT_S, Sandbox, needs_nsys
from synthetic import MS, Synthetic
from test_parquet import write_parquet
from traces import EXPORT, REPORT, opened
from variations import some

TRACE = "the converted one"
GAPS = "SELECT gap_id, cause, length_ns, before, nvtx FROM gaps ORDER BY gap_id"


@pytest.fixture(scope="module")
def gaps():
    return opened(EXPORT).sql(GAPS)


@pytest.fixture
def asked(command_line, tmp_path, monkeypatch):
    """What the command writes, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        done = command_line("sql", *arguments)
        assert (done.status, done.errors) == (0, "")
        return done.output

    return run


@pytest.mark.parametrize(
    ("arguments", "name", "head"),
    some(
        3,
        [
            (("gaps", TRACE), "gaps.csv", "gap_id,gpu,"),
            (("sql", TRACE, GAPS), "rows.json", '[{"gap_id":'),
            (("diagnose", TRACE), "diagnosis.md", "## "),
            (("diagnose", TRACE), "diagnosis.json", '{\n "schema": "gapfinder.diagnosis/2"'),
            (("compare", TRACE, TRACE), "comparison.md", "## "),
            (("gaps", TRACE, "--format", "table"), "table.csv", "GPU  "),
        ],
    ),
)
def test_the_name_of_the_output_says_the_format(command_line, converted, tmp_path, arguments, name, head):
    done = command_line(*(converted if word == TRACE else word for word in arguments), "-o", tmp_path / name)
    assert (done.status, done.output) == (0, "")
    assert (tmp_path / name).read_text().startswith(head)


def test_csv_can_be_read_back(asked, gaps):
    read = pl.read_csv(io.StringIO(asked(EXPORT, GAPS, "--format", "csv")))
    assert read.rows() == gaps.rows()


def test_json_can_be_read_back(asked, converted, gaps):
    assert json.loads(asked(converted, GAPS, "--format", "json")) == gaps.to_dicts()


def test_parquet_can_be_read_back(asked, converted, tmp_path, gaps):
    assert asked(converted, GAPS, "--format", "parquet", "-o", "gaps.parquet") == ""
    read = pl.read_parquet(tmp_path / "gaps.parquet")
    assert read.rows() == gaps.rows()
    assert read.schema["length_ns"] == pl.Int64


def test_a_table_aligns_numbers_and_shows_null(asked, converted):
    query = "SELECT * FROM (VALUES (5, 'a', NULL), (NULL, NULL, 1.5)) AS t(n, name, share)"
    assert asked(converted, query) == "   n  name  share\n   5  a      NULL\nNULL  NULL    1.5\n"


def test_a_table_says_what_it_leaves_out(asked, converted):
    lines = asked(converted, "FROM range(3000)").splitlines()
    assert len(lines) == 1 + 1000 + 2
    assert lines[-1].startswith("2,000 rows more")
    assert asked(converted, "SELECT 1 AS a WHERE false") == "a\n\nno rows\n"


def test_a_column_below_the_other(asked, converted):
    query = "SELECT n, 'b' AS name FROM (VALUES (5), (NULL)) AS t(n)"
    expected = "row 1 of 2\n   n  5\nname  b\nrow 2 of 2\n   n  NULL\nname  b\n"
    assert asked(converted, query, "-x") == asked(converted, query, "--format", "vertical") == expected


def test_a_table_of_gaps_says_how_many_more_there_are(command_line, converted, gaps):
    for arguments, more in (((), gaps.height - 40), (("--limit", gaps.height - 1), 0)):
        done = command_line("gaps", converted, *arguments)
        assert (done.status, done.errors) == (0, "")
        assert done.output.count("\n") == (1 + 40 + 2 if more else gaps.height)
        assert done.output.endswith(f"\n\n{more} gaps more: --limit shows them\n") == bool(more)


def test_a_table_without_gaps_says_so(command_line, converted):
    done = command_line("gaps", converted, "--cause", "rank_imbalance")
    assert done.output.splitlines()[-1].startswith("rank_imbalance is the main cause of no gap")


def test_lists_and_structs_and_bytes(asked, converted):
    query = "SELECT [1, NULL] AS l, {'a': 'é'} AS s, 'x'::BLOB AS b, INTERVAL 1 DAY AS i"
    assert asked(converted, query, "--format", "csv") == 'l,s,b,i\n"[1, null]","{""a"": ""é""}",78,1 day\n'
    rows = json.loads(asked(converted, query, "--format", "json"))
    assert rows == [{"l": [1, None], "s": {"a": "é"}, "b": "78", "i": "1 day"}]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("[x'ff', NULL]", ["ff", None]),
        ("[[x'01'], NULL, []]", [["01"], None, []]),
        ("array[x'00']::BLOB[1]", ["00"]),
        ("{'a': NULL::BLOB, 'b': {'c': x'ff', 'd': 1}}", {"a": None, "b": {"c": "ff", "d": 1}}),
        ("map {1: x'ff', 2: NULL}", {"1": "ff", "2": None}),
        ("map {'k': [{'y': x'00'}]}", {"k": [{"y": "00"}]}),
    ],
)
def test_bytes_inside_of_values_are_hexadecimal(asked, converted, value, shown):
    query = f"SELECT {value} AS x UNION ALL SELECT NULL ORDER BY ALL NULLS LAST"
    assert json.loads(asked(converted, query, "--format", "json")) == [{"x": shown}, {"x": None}]


@pytest.mark.parametrize("form", [[], ["-x"]])
def test_a_list_is_whole_in_a_table(asked, converted, form):
    assert f"{[*range(30)]}" in asked(converted, "SELECT range(30) AS numbers", *form)


def test_statements_in_a_file_and_from_standard_input(asked, converted, tmp_path):
    text = "-- the first; of two\nSELECT ';' AS a;\nSELECT 2 AS b\n"
    (tmp_path / "two.sql").write_text(text)
    expected = "a\n;\nb\n2\n"
    assert asked(converted, "-f", "two.sql", "--format", "csv") == expected
    piped = subprocess.run(
        [*GAPFINDER, "sql", str(converted), "--format", "csv"],
        input=text, capture_output=True, text=True, check=False, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert (piped.returncode, piped.stdout, piped.stderr) == (0, expected, "")
    asked(converted, "-f", "two.sql", "--format", "csv", "-o", "out.csv")
    assert (tmp_path / "out.csv").read_text() == expected


def test_mistakes_are_one_line(command_line, converted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def refused(*arguments):
        done = command_line("sql", *arguments)
        assert (done.status, done.output, done.errors.count("\n")) == (2, "", 1)
        return done.errors

    assert "Referenced column" in refused(converted, "SELECT xx FROM gaps")
    assert "syntax error" in refused(converted, "SELEC")
    assert "name a file with -o" in refused(converted, GAPS, "--format", "parquet")
    assert "none.sql cannot be read: No such file or directory" in refused(converted, "-f", "none.sql")
    assert "keep one" in refused(converted, "SELECT 1", "-f", "none.sql")
    assert "the format is csv: keep one" in refused(converted, "SELECT 1", "-x", "-o", "x.csv")
    assert "is read by this command" in refused(converted, "SELECT 1", "-o", converted)
    assert "one statement" in refused(converted, "SELECT 1; SELECT 2", "--format", "parquet", "-o", "x.parquet")
    assert "Could not convert" in refused(converted, "SELECT CAST(name AS INTEGER) FROM kernels")


def test_a_parquet_folder_gives_the_same(asked, tmp_path, gaps):
    folder = write_parquet(EXPORT, tmp_path / "folder")
    assert json.loads(asked(folder, GAPS, "--format", "json")) == gaps.to_dicts()


@needs_nsys
def test_a_report_gives_the_same(asked, gaps):
    assert json.loads(asked(REPORT, GAPS, "--format", "json")) == gaps.to_dicts()


def test_no_control_character_reaches_the_table(asked, tmp_path):
    trace = Synthetic()
    trace.kernel(0, MS, launched=(0, 1), name="\x1b]0;title\x07evil\nrow")
    path = trace.write(tmp_path / "evil.sqlite")
    assert asked(path, "SELECT name FROM kernels") == "name\n�]0;title�evil�row\n"


def test_sums_are_integers_and_equal_names_are_told_apart():
    frame = opened(EXPORT).sql("SELECT sum(length_ns) AS ns, 1.5 AS d, 2 AS d, 1 AS ns, 3 AS d_1 FROM gaps")
    assert frame.schema == {"ns": pl.Int64, "d": pl.Float64, "d_2": pl.Int32, "ns_1": pl.Int32, "d_1": pl.Int32}


def test_order_is_kept_where_columns_are_renamed():
    frame = opened(EXPORT).sql("SELECT range AS n, range AS n FROM range(500000) ORDER BY n DESC")
    assert frame["n"].is_sorted(descending=True)


def test_times_that_python_cannot_hold_are_shown_whole(asked, converted):
    query = "SELECT TIME '24:00:00' AS a, TIMESTAMP_NS '2020-01-01 00:00:00.123456789' AS b"
    for format_ in "table", "vertical", "csv", "json":
        shown = asked(converted, query, "--format", format_)
        assert "24:00:00" in shown
        assert "00:00:00.123456789" in shown


MANY = 400_000  # more than one part of what DuckDB hands over
TOO_LARGE = "the result does not fit into the memory limit of "


def test_a_large_result_is_the_same_in_each_format(asked, converted, tmp_path):
    day = f"if(x = {MANY - 1}, 'infinity', DATE '2020-01-01')::DATE"
    query = f"SELECT x, x::HUGEINT AS total, {day} AS day FROM range({MANY}) AS r(x)"
    last = {"x": MANY - 1, "total": MANY - 1, "day": "infinity"}
    lines = asked(converted, query, "--format", "csv").splitlines()
    assert (len(lines), lines[0], lines[-1]) == (MANY + 1, "x,total,day", ",".join(map(str, last.values())))
    rows = json.loads(asked(converted, query, "--format", "json"))
    assert (len(rows), rows[-1]) == (MANY, last)
    file = tmp_path / "rows.parquet"
    asked(converted, query, "--format", "parquet", "-o", file)
    frame = pl.read_parquet(file)
    assert (frame.height, frame.row(-1, named=True), frame.schema["total"]) == (MANY, last, pl.Int64)
    assert asked(converted, query).splitlines()[-1].startswith(f"{MANY - 1000:,} rows more")


@pytest.mark.parametrize("form", some(1, ["json", "csv"]))
@pytest.mark.parametrize("rows", [4, 1])
def test_the_memory_limit_holds_while_a_result_is_written(tmp_path, form, rows):
    """Each of these characters takes six bytes of JSON."""
    query = f"SELECT {{'a': repeat(chr(1), 30000000)}} AS x FROM range({rows})"
    peak_bytes, done = Sandbox(tmp_path).peak_of("sql", EXPORT, query, "--format", form, "--memory-limit", "400MB")
    assert peak_bytes < 500_000_000
    assert (done.status, done.errors.count("\n")) == (2, 1)
    assert done.errors.startswith(f"gapfinder: {TOO_LARGE}")


@pytest.mark.parametrize(
    ("query", "told", "most_bytes"),
    some(
        2,
        [
            ("SELECT x, x + 1, x + 2 FROM range(30_000_000) AS r(x)", "", 500_000_000),
            ("SELECT list_sum(range(100_000_000))", TOO_LARGE, 1_000_000_000),  # took 7 GB
            ("SELECT repeat('x', 10_000) FROM range(1_000_000)", TOO_LARGE, 700_000_000),
        ],
    ),
)
def test_the_memory_limit_holds_for_any_result(tmp_path, query, told, most_bytes):
    peak_bytes, done = Sandbox(tmp_path).peak_of("sql", EXPORT, query, "--format", "csv", "--memory-limit", "400MB")
    assert peak_bytes < most_bytes
    assert done.errors.startswith(f"gapfinder: {told}" if told else "")
    assert (done.status, done.errors.count("\n")) == ((2, 1) if told else (0, 0))
