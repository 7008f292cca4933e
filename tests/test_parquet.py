"""A Parquet folder gives the diagnosis of the SQLite file that holds the same trace."""

import os
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace

import polars as pl
import pytest
from processes import TIMEOUT_S, needs_nsys
from traces import EXPORT, FIXTURES, REPORT, diagnosis
from variations import some

import gapfinder
from gapfinder.ingest.nsys import report as nsys
from gapfinder.ingest.nsys.load import export_tables

TYPES = {"INTEGER": pl.Int64, "TEXT": pl.String, "REAL": pl.Float64}


@pytest.mark.parametrize("trace", some(1, ["starved_cuda12", "pysample_gil", "ddp_straggler_broken"]))
def test_parquet_gives_the_diagnosis_of_sqlite(tmp_path, trace):
    original = FIXTURES / f"{trace}.sqlite"
    folder = write_parquet(original, tmp_path / "a 'parquet' folder")
    assert_same(folder, original)


@needs_nsys
def test_parquet_of_nsys_gives_the_diagnosis_of_sqlite(tmp_path):
    folder = tmp_path / "report"
    command = [nsys.find(), "export", "--type=parquetdir", "--quiet=true", f"--output={folder}", str(REPORT)]
    subprocess.run(command, check=True, capture_output=True, timeout=TIMEOUT_S, env=os.environ | {"TMPDIR": str(tmp_path)})
    assert_same(folder, EXPORT)


def assert_same(folder, original):
    found, expected = diagnosis(folder), diagnosis(original)
    assert elsewhere(found, expected.trace) == elsewhere(expected, expected.trace)


def elsewhere(diagnosis, trace):
    """The diagnosis as if the trace had this name."""
    job = diagnosis.job
    if job:
        job = replace(job, traces=[trace], ranks=[replace(rank, trace=trace) for rank in job.ranks])
    return replace(diagnosis, trace=trace, job=job)


def write_parquet(trace, folder):
    """One file a table, and none for a table without rows: as nsys does it."""
    folder.mkdir()
    with closing(sqlite3.connect(f"{trace.as_uri()}?mode=ro", uri=True)) as connection:
        for table in export_tables():
            types = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
            # payloads of NVTX events are bytes in a column of texts
            columns = ", ".join(f"""iif(typeof("{name}") = 'blob', NULL, "{name}")""" for name, _ in types)
            if columns and (rows := connection.execute(f'SELECT {columns} FROM "{table}"').fetchall()):
                schema = {name: TYPES[kind] for name, kind in types}
                pl.DataFrame(rows, schema=schema, orient="row").write_parquet(folder / f"{table}.parquet")
    return folder


@pytest.mark.parametrize("table", some(1, ["CUPTI_ACTIVITY_KIND_KERNEL", "ThreadNames"]))
def test_a_few_bytes_of_a_billion_rows_are_refused_at_once(tmp_path, command_line, table):
    """Encodings of Parquet repeat a row without limit."""
    folder = write_parquet(EXPORT, tmp_path / "small")
    file = folder / f"{table}.parquet"
    (row,) = pl.read_parquet(file).head(1).rows()
    pl.DataFrame([row] * 2, schema=pl.read_parquet_schema(file), orient="row").select(
        pl.all().repeat_by(1_000_000).explode()
    ).write_parquet(file, compression="zstd")
    assert file.stat().st_size < 200_000
    done = command_line("diagnose", folder)
    assert (done.status, done.output) == (3, "")
    assert f"is damaged or incomplete ({file.name} claims 2,000,000 rows, and has " in done.errors
    assert done.errors.count("\n") == 1


def test_a_small_trace_may_not_fill_the_disk(tmp_path):
    folder = write_parquet(EXPORT, tmp_path / "small")
    size_bytes = sum(file.stat().st_size for file in folder.iterdir())
    with gapfinder.open(folder) as trace:
        (row,) = trace.rows("SELECT value FROM duckdb_settings() WHERE name = 'max_temp_directory_size'")
    assert row["value"] == f"{(4_000_000_000 + 200 * size_bytes) // 10**6 * 10**6 / 2**30:.1f} GiB"
