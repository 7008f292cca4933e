"""`gapfinder convert`: what is converted is diagnosed as the trace was, without the trace, and is open to any other client."""

import os
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from functools import cache
from pathlib import Path

import duckdb
import polars as pl
import pytest
from processes import GAPFINDER, TIMEOUT_S, Sandbox, needs_nsys
from synthetic import MS, Synthetic
from traces import EXPORT, FIXTURES, REPORT, opened
from variations import some

from gapfinder import convert
from gapfinder import open as open_trace
from gapfinder.conversion import database
from gapfinder.errors import TraceError, UsageError
from gapfinder.ingest.nsys import converted
from gapfinder.pipeline import relations
from gapfinder.render.diagnosis.json import render

TRACE = FIXTURES / "pysample_tokenize.sqlite"
PLANTED = "hf_tokenOfNobody"
PRIVATE = ("META_DATA_CAPTURE", "META_DATA_EXPORT", "TARGET_INFO_SYSTEM_ENV")
KINDS = ("kept.duckdb", "kept")
each_kind = pytest.mark.parametrize("kind", KINDS)
a_kind = pytest.mark.parametrize("kind", some(1, KINDS))  # both take the same way


def diagnosed(path, **options):
    """The JSON, which does not say of which trace it is."""
    with open_trace(path, config=os.devnull, **options) as trace:
        return render(trace.diagnose(), width=0, color=False)


@cache
def fresh(path, **options):
    return diagnosed(path, **options)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Both conversions of a trace that is gone."""
    folder = tmp_path_factory.mktemp("kept")
    trace = Path(shutil.copy(TRACE, folder / "trace.sqlite"))
    for kind in KINDS:
        convert(trace, folder / kind, config=os.devnull)
    trace.unlink()
    assert sorted(path.name for path in folder.iterdir()) == sorted(KINDS)
    return folder


@each_kind
def test_same_diagnosis_without_the_trace(kept, kind):
    assert diagnosed(kept / kind) == fresh(TRACE)


@pytest.mark.thorough
def test_the_same_advice_on_a_fused_optimizer(tmp_path):
    trace = FIXTURES / "cpu_between_steps.sqlite"
    convert(trace, tmp_path / "kept.duckdb", config=os.devnull)
    assert diagnosed(tmp_path / "kept.duckdb") == fresh(trace)


@a_kind
@pytest.mark.parametrize("options", some(1, [{"window": "all"}, {"window": "2..5", "step": "forward"}]))
def test_same_diagnosis_with_other_options(kept, kind, options):
    assert diagnosed(kept / kind, **options) == fresh(TRACE, **options)


@a_kind
def test_conversion_is_diagnosed_by_the_config_of_today(kept, tmp_path, kind):
    config = tmp_path / "names.toml"
    config.write_text("[names]\nstorage_io = ['tokenize']\n")
    with open_trace(kept / kind, config=config) as trace, open_trace(TRACE, config=config) as original:
        assert trace.ledger().equals(original.ledger())
        assert "storage_io" in trace.ledger()["cause"]


@needs_nsys
@a_kind
def test_report_is_converted(tmp_path, kind):
    convert(REPORT, tmp_path / kind, config=os.devnull)
    assert diagnosed(tmp_path / kind) == fresh(EXPORT)


def test_relations_of_a_database_are_taken_as_they_are(kept, monkeypatch):
    monkeypatch.setattr("gapfinder.opening.read", None)
    assert diagnosed(kept / "kept.duckdb")


@pytest.mark.parametrize(
    ("kind", "arguments"),
    some(2, [(KINDS[0], "gaps"), (KINDS[1], "whatif --without host_sync --format json"), (KINDS[0], "doctor")]),
)
def test_every_command_reads_it(kept, command_line, kind, arguments):
    command, *rest = arguments.split()
    paths = [TRACE, kept / kind]
    done = [command_line(command, path, *rest) for path in paths]
    assert [(each.status, each.errors) for each in done] == [(0, "")] * 2
    texts = {each.output.replace(str(path), "").replace(path.name, "") for each, path in zip(done, paths, strict=True)}
    assert len(texts) == 1


@pytest.mark.thorough
def test_trace_and_its_conversions_do_not_differ(kept, command_line):
    done = command_line("compare", TRACE, *(kept / kind for kind in KINDS))
    assert (done.status, done.errors) == (0, "")
    assert "No difference" in done.output


def test_duckdb_alone_reads_every_view(kept):
    with closing(duckdb.connect(kept / "kept.duckdb", read_only=True)) as plain:
        for view in ("main.gaps", "main.kernels", "trace.ledger", "trace.ledger_lines", "trace.step_ledger"):
            query = f"SELECT count(*) FROM {view}"
            assert plain.execute(query).fetchall() == opened(TRACE).tuples(query)
        views = plain.execute("SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        for schema, view in views:
            plain.execute(f'SELECT * FROM {schema}."{view}" LIMIT 1').fetchall()
        assert plain.execute("SELECT DISTINCT relation FROM catalogue WHERE meaning IS NULL").fetchall() == []
        assert plain.execute("SELECT source, gapfinder FROM conversion").fetchone()[0] == "trace.sqlite"


def test_views_work_where_the_database_is_attached_under_another_name(kept):
    with closing(duckdb.connect()) as client:
        client.execute(f"ATTACH '{kept / 'kept.duckdb'}' AS before (READ_ONLY)")
        assert client.execute("SELECT count(*) FROM before.main.gaps").fetchone()[0] > 0
        assert client.execute("SELECT sum(ns) FROM before.trace.ledger_lines").fetchone()[0] > 0


def test_parquet_files_have_the_columns_and_rows_of_the_views(kept):
    for view in ("gaps", "kernels", "ledger_lines", "step_ledger"):
        read = pl.read_parquet(kept / "kept" / f"{view}.parquet")
        expected = opened(TRACE).frame(f"SELECT * FROM {view}")
        assert read.columns == expected.columns
        assert read.height == expected.height
    assert pl.read_parquet(kept / "kept" / "ledger_lines.parquet")["ns"].sum() > 0


@each_kind
def test_nothing_private_is_kept(tmp_path, kind):
    trace = Synthetic()
    trace.kernel(0, MS, launched=(0, 1))
    for table in PRIVATE:
        trace.tables[table] = [{"name": PLANTED, "value": PLANTED}]
    trace.tables["PROCESSES"] = [{"globalPid": 1 << 24, "pid": 1, "name": "python3", "commandLine": PLANTED}]
    convert(trace.write(tmp_path / "t.sqlite"), tmp_path / kind)
    assert PLANTED.encode() in (tmp_path / "t.sqlite").read_bytes()
    written = [path for path in [tmp_path / kind, *(tmp_path / kind).rglob("*")] if path.is_file()]
    assert written
    assert not any(PLANTED.encode() in path.read_bytes() for path in written)
    with closing(duckdb.connect()) as client:
        for file in (path for path in written if path.suffix == ".parquet"):
            assert PLANTED not in str(client.read_parquet(str(file)).fetchall())
    if kind == "kept.duckdb":
        with closing(duckdb.connect(tmp_path / kind, read_only=True)) as client:
            tables = client.execute("SELECT schema_name, table_name FROM duckdb_tables()").fetchall()
            assert not any(PLANTED in str(client.execute(f'FROM {schema}."{table}"').fetchall()) for schema, table in tables)


@pytest.mark.parametrize("command", ["diagnose", "gaps"])
def test_database_that_is_no_conversion_is_refused(tmp_path, command_line, command):
    foreign = tmp_path / "foreign.duckdb"
    with closing(duckdb.connect(foreign)) as client:
        client.execute("CREATE TABLE t AS SELECT 1 AS a")
    done = command_line(command, foreign)
    assert (done.status, done.output) == (3, "")
    assert done.errors.startswith(f"gapfinder: {foreign} is a DuckDB database, but this version of gapfinder convert did not")
    assert done.errors.count("\n") == 1


def test_a_view_in_place_of_the_record_reads_no_file(tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("gapfinder,source,tables,rows,reading,computing\n" + ",".join([PLANTED] * 6))
    with closing(duckdb.connect(tmp_path / "evil.duckdb")) as client:
        client.execute(f"CREATE VIEW conversion AS SELECT * FROM read_csv('{secret}')")
    with pytest.raises(TraceError) as refused, open_trace(tmp_path / "evil.duckdb"):
        pass
    assert PLANTED not in str(refused.value)


def test_damaged_conversion_is_refused_in_one_line(kept, tmp_path, command_line):
    whole = (kept / "kept.duckdb").read_bytes()
    for number, content in enumerate((whole[:20], whole[: len(whole) // 2], whole[:40_000] + bytes(len(whole) - 40_000))):
        broken = tmp_path / f"{number}.duckdb"
        broken.write_bytes(content)
        done = command_line("diagnose", broken)
        assert (done.status, done.output, done.errors.count("\n")) == (3, "", 1)


@pytest.mark.parametrize("times", [0, 2])
def test_a_folder_whose_record_is_no_single_row_is_refused(kept, tmp_path, times):
    folder = Path(shutil.copytree(kept / "kept", tmp_path / "copy"))
    record = pl.read_parquet(folder / "conversion.parquet")
    pl.concat([record.clear(), *[record] * times]).write_parquet(folder / "conversion.parquet")
    with pytest.raises(TraceError, match=r"conversion\.parquet is no record"), open_trace(folder):
        pass


def test_conversion_that_lost_a_table_is_refused(kept, tmp_path):
    """Of tables that only some captures have, nothing else would tell."""
    database = Path(shutil.copy(kept / "kept.duckdb", tmp_path))
    with closing(duckdb.connect(str(database))) as connection:
        connection.execute("DROP TABLE export.OSRT_API")
    folder = shutil.copytree(kept / "kept", tmp_path / "kept")
    (folder / "export" / "OSRT_API.parquet").unlink()
    for conversion in (database, folder):
        with pytest.raises(TraceError, match="OSRT_API is gone"), open_trace(conversion):
            pass


def test_conversion_of_which_rows_are_gone_is_refused(kept, tmp_path, command_line):
    """In a conversion rows have no numbers of their own, so that those that are left do not tell of it."""
    database = Path(shutil.copy(kept / "kept.duckdb", tmp_path))
    with closing(duckdb.connect(str(database))) as connection:
        ((had,),) = connection.execute("SELECT count(*) FROM export.OSRT_API").fetchall()
        connection.execute("DELETE FROM export.OSRT_API WHERE rowid % 2 = 0")
    folder = Path(shutil.copytree(kept / "kept", tmp_path / "kept"))
    file = folder / "export" / "OSRT_API.parquet"
    pl.read_parquet(file).gather_every(2, 1).write_parquet(file)
    for conversion in (database, folder):
        done = command_line("diagnose", conversion)
        assert (done.status, done.output) == (3, "")
        assert f"(OSRT_API has {had // 2} rows, and had {had})" in done.errors


def test_conversion_that_lost_what_tells_of_missing_rows_is_refused(tmp_path):
    trace = shutil.copy(FIXTURES / "tokenize_broken.sqlite", tmp_path)
    with closing(sqlite3.connect(trace)) as connection:
        connection.execute("DELETE FROM OSRT_API WHERE rowid % 3 = 0")
        connection.commit()
    database, folder = tmp_path / "kept.duckdb", tmp_path / "kept"
    convert(trace, database)
    convert(trace, folder)
    with closing(duckdb.connect(str(database))) as connection:
        connection.execute("DELETE FROM export.missing_rows")
    file = folder / "missing_rows.parquet"
    pl.read_parquet(file).clear().write_parquet(file)
    for conversion in (database, folder):
        with pytest.raises(TraceError, match="missing_rows has 0 rows, and had"), open_trace(conversion):
            pass


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nothing")])
def test_a_table_that_is_no_file_is_gone(kept, tmp_path, make):
    folder = Path(shutil.copytree(kept / "kept", tmp_path / "kept"))
    (folder / "export" / "OSRT_API.parquet").unlink()
    make(folder / "export" / "OSRT_API.parquet")
    with pytest.raises(TraceError, match="OSRT_API is gone"), open_trace(folder):
        pass


@each_kind
def test_conversion_by_another_reading_must_be_made_again(kept, kind, monkeypatch):
    for module in ("gapfinder.conversion.record", "gapfinder.ingest.nsys.converted"):
        monkeypatch.setattr(f"{module}.reading_digest", lambda: "another")
    monkeypatch.setattr("gapfinder.conversion.record.relations_digest", lambda *_: "another")
    with pytest.raises(TraceError, match=r"convert trace\.sqlite again"), open_trace(kept / kind):
        pass


@pytest.mark.parametrize("edit", ["DELETE FROM trace.cause_totals", 'DELETE FROM trace."window"', "DELETE FROM trace.segments"])
def test_results_that_were_edited_are_computed_again(kept, tmp_path, edit):
    """Else a gate passes, or gapfinder fails where no trace could make it."""
    edited = Path(shutil.copy(kept / "kept.duckdb", tmp_path))
    with closing(duckdb.connect(str(edited))) as database:
        database.execute(edit)
    query = "SELECT cause, count(*) AS segments FROM segments GROUP BY ALL ORDER BY ALL"
    with open_trace(edited, config=os.devnull) as trace:
        assert render(trace.diagnose(), width=0, color=False) == fresh(TRACE)
        assert trace.sql(query).equals(opened(TRACE).sql(query))


def test_opening_writes_nothing_beside_it(kept):
    before = {path: path.stat().st_mtime_ns for path in kept.rglob("*")}
    with open_trace(kept / "kept.duckdb") as first, open_trace(kept / "kept.duckdb") as second:
        assert first.ledger().equals(second.ledger())
        assert {path: path.stat().st_mtime_ns for path in kept.rglob("*")} == before


@a_kind
def test_what_is_there_is_replaced_only_by_force(kept, tmp_path, kind):
    """By one that was made with other options than it is asked with."""
    target = tmp_path / kind
    shutil.copytree(kept / kind, target) if (kept / kind).is_dir() else shutil.copy(kept / kind, target)
    with pytest.raises(UsageError, match="--force"):
        convert(TRACE, target, window="all", config=os.devnull)
    convert(TRACE, target, window="all", config=os.devnull, force=True)
    assert diagnosed(target) == fresh(TRACE)
    assert list(tmp_path.iterdir()) == [target]


def test_places_that_are_refused(kept, tmp_path):
    trace = Path(shutil.copy(TRACE, tmp_path / "trace.duckdb"))
    link = tmp_path / "link.duckdb"
    link.symlink_to(trace)
    own = tmp_path / "own"
    own.mkdir()
    (own / "thesis.txt").write_text("")
    inner = Path(shutil.copytree(kept / "kept", tmp_path / "parquet"))
    before = sorted(tmp_path.rglob("*"))
    for source, target in (
        (trace, trace),
        (trace, link),
        (trace, own),
        (trace, tmp_path),
        (trace, tmp_path / "nowhere" / "kept"),
        (trace, tmp_path / "a.parquet"),
        (inner, inner / "kept"),
        (inner / "export", inner),
    ):
        with pytest.raises(UsageError):
            convert(source, target, force=True)
    assert sorted(tmp_path.rglob("*")) == before
    assert trace.read_bytes() == TRACE.read_bytes()


@each_kind
def test_an_unusable_trace_leaves_nothing(tmp_path, kind):
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        connection.execute("CREATE TABLE StringIds (id INTEGER, value TEXT)")
    with pytest.raises(TraceError):
        convert(tmp_path / "t.sqlite", tmp_path / kind)
    assert [path.name for path in tmp_path.iterdir()] == ["t.sqlite"]


@a_kind
def test_interrupted_conversion_leaves_nothing(tmp_path, kind):
    """Here nsys exports for ever."""
    stub = tmp_path / "nsys"
    stub.write_text('#!/bin/sh\n[ "$2" = --help ] && exit\n: > "$HOME/exporting"\nexec sleep 60\n')
    stub.chmod(0o755)
    sandbox = Sandbox(tmp_path)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # children of a script's background ignore it else
    process = subprocess.Popen(
        [*GAPFINDER, "convert", str(REPORT), kind],
        env=sandbox.environment | {"GAPFINDER_NSYS": str(stub)},
        cwd=sandbox.work,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    try:
        ends = time.monotonic() + TIMEOUT_S
        while not (sandbox.home / "exporting").exists():
            assert process.poll() is None
            assert time.monotonic() < ends
            time.sleep(0.01)
        assert next(sandbox.work.iterdir()).name.startswith(".gapfinder-")
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    finally:
        process.kill()
    assert (process.returncode, errors.strip()) == (130, "gapfinder: interrupted")
    assert sandbox.left_behind() == []


def test_the_record_has_the_columns_of_its_table():
    with closing(duckdb.connect()) as client:
        client.execute((relations.folder() / "conversion" / "conversion.sql").read_text())
        columns = [row[0] for row in client.execute("DESCRIBE main.conversion").fetchall()]
    assert columns == list(converted.Record.__dataclass_fields__)


def test_readable_by_older_clients(kept):
    with closing(duckdb.connect(kept / "kept.duckdb", read_only=True)) as client:
        tags = client.execute("SELECT tags FROM duckdb_databases() WHERE NOT internal").fetchone()[0]
        unplanned = client.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal AND NOT is_bound").fetchall()
    assert tags["storage_version"].startswith(database.STORAGE_VERSION)
    assert not unplanned  # DuckDB 1.4 takes such a view for one without columns


def test_views_of_the_file_are_not_asked(kept, tmp_path):
    """They may be anybody's: here one forges rows, and others would never end."""
    forged = Path(shutil.copy(kept / "kept.duckdb", tmp_path))
    endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    with closing(duckdb.connect(forged)) as client:
        kinds = client.execute(
            "SELECT view_name, sql FROM duckdb_views() WHERE schema_name = 'trace' AND NOT internal"
        ).fetchall()
        assert {"kernels", "calls", "cause_totals"} & {name for name, _ in kinds}
        for name, _ in kinds:
            client.execute(f'CREATE OR REPLACE VIEW trace."{name}" AS {endless}')
    assert diagnosed(forged) == fresh(TRACE)


def test_view_in_place_of_a_table_is_refused(kept, tmp_path):
    forged = Path(shutil.copy(kept / "kept.duckdb", tmp_path))
    with closing(duckdb.connect(forged)) as client:
        client.execute("DROP TABLE trace.activities CASCADE")
        client.execute("CREATE VIEW trace.activities AS SELECT * FROM range(1000000000000)")
    with open_trace(forged, config=os.devnull) as trace:
        assert trace.tuples("SELECT count(*) FROM activities") == opened(TRACE).tuples("SELECT count(*) FROM activities")


@pytest.mark.parametrize("command", some(1, ["diagnose", "gaps"]))
def test_flipped_bits_give_no_traceback(kept, tmp_path, command_line, command):
    """DuckDB finds a damaged block when it is read, which may be late."""
    whole = (kept / "kept.duckdb").read_bytes()
    refused = 0
    for place in range(4, 24, 3):
        content = bytearray(whole)
        content[place * len(whole) // 25] ^= 4
        (tmp_path / "broken.duckdb").write_bytes(content)
        done = command_line(command, tmp_path / "broken.duckdb")
        assert (done.status, done.errors.count("\n")) in {(0, 0), (3, 1)}
        refused += done.status == 3
    assert refused or command == "gaps"  # which reads little of it
