"""Texts of any length: what is read of one is limited, so that the memory limit holds; and it is told."""

import subprocess

import polars as pl
import pytest
from processes import GAPFINDER, TIMEOUT_S
from samples import STEP, altered, full
from synthetic import MS, Synthetic

import gapfinder
from gapfinder.ingest.nsys.load import TEXT_CHARS

LONG = 100 * TEXT_CHARS
PEAK = """
import sys
from pathlib import Path
from gapfinder.cli.main import gapfinder
gapfinder.main(sys.argv[1:], standalone_mode=False)
(peak,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) * 1024, file=sys.stderr)
"""


def test_long_name_is_cut_and_told(tmp_path):
    path = altered(tmp_path, f"UPDATE StringIds SET value = hex(zeroblob({LONG // 2})) WHERE value = 'gemm'")
    with gapfinder.open(path) as trace:
        assert trace.rows("SELECT max(length(text)) AS longest FROM strings") == [{"longest": TEXT_CHARS}]
        assert f"Texts of StringIds are cut after {TEXT_CHARS:,} characters: 1 of them." in trace.diagnose().notes


def test_name_of_the_usual_length_is_not_cut(tmp_path):
    with gapfinder.open(full().write(tmp_path / "t.sqlite")) as trace:
        assert trace.rows("SELECT * FROM cut_texts") == []


def test_long_texts_of_parquet_are_cut(tmp_path):
    for table, rows in full().rows().items():
        pl.DataFrame(rows, infer_schema_length=None).write_parquet(tmp_path / f"{table}.parquet")
    strings = pl.read_parquet(tmp_path / "StringIds.parquet")
    strings.with_columns(pl.lit("é" * LONG).alias("value")).write_parquet(tmp_path / "StringIds.parquet")
    with gapfinder.open(tmp_path) as trace:
        assert trace.rows("SELECT max(length(text)) AS longest FROM strings") == [{"longest": TEXT_CHARS}]


@pytest.mark.parametrize("limit_mb", [400])
def test_long_names_keep_the_memory_limit(tmp_path, limit_mb):
    """Ranges that share one name of 50 MB; each would take as much wherever the name is shown."""
    trace = Synthetic()
    for start in range(0, 20 * STEP, STEP):
        trace.nvtx("x" * 50_000_000, start, start + 9 * MS)
        trace.kernel(start + MS, start + 5 * MS, (start, start + MS))
    path = trace.write(tmp_path / "t.sqlite")
    python = GAPFINDER[0]
    arguments = [python, "-c", PEAK, "diagnose", str(path), "--memory-limit", f"{limit_mb}MB"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    assert int(done.stderr.split()[-1]) < limit_mb * 10**6
