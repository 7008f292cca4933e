"""A Parquet folder gives the diagnosis of the SQLite file that holds the same trace."""

import json
import os
import sqlite3
import subprocess
from contextlib import closing

import polars as pl
import pytest
from processes import Sandbox, needs_nsys
from traces import EXPORT, FIXTURES, REPORT

from gapfinder.ingest import nsys
from gapfinder.ingest.load import export_tables

TYPES = {"INTEGER": pl.Int64, "TEXT": pl.String, "REAL": pl.Float64}


@pytest.mark.parametrize("trace", ["starved_cuda12", "pysample_gil", "ddp_straggler_broken"])
def test_same_as_sqlite(tmp_path, trace):
    original = FIXTURES / f"{trace}.sqlite"
    folder = write_parquet(original, tmp_path / "a 'parquet' folder")
    assert_same(Sandbox(tmp_path), folder, original)


@needs_nsys
def test_as_nsys_writes_it(tmp_path):
    sandbox = Sandbox(tmp_path)
    folder = tmp_path / "report"
    command = [nsys.find(), "export", "--type=parquetdir", "--quiet=true", f"--output={folder}", str(REPORT)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"TMPDIR": str(sandbox.temporary)})
    assert_same(sandbox, folder, EXPORT)


def assert_same(sandbox, folder, original):
    assert diagnosed(sandbox, folder) == diagnosed(sandbox, original)


def diagnosed(sandbox, trace):
    done = sandbox.gapfinder("diagnose", trace, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


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
