"""A copy that was cut off, wherever: one line, at once."""

import os

import duckdb
import pytest
from outcome import outcome
from samples import SMALL, full

from gapfinder.errors import TraceError
from gapfinder.ingest.nsys.sqlite import SqliteTables

CUTS = 40


@pytest.mark.parametrize("trace", SMALL, ids=lambda path: path.stem)
def test_an_export_cut_off_anywhere(tmp_path, trace):
    """At bytes all over it, and within each of its last pages."""
    size = trace.stat().st_size
    path = tmp_path / "cut.sqlite"
    path.write_bytes(trace.read_bytes())
    for length in sorted({*range(100, size, size // CUTS), *range(size - 5 * 4096, size, 1111), size - 1}, reverse=True):
        os.truncate(path, length)
        with pytest.raises(TraceError, match="damaged or incomplete"):
            SqliteTables(path).columns(duckdb.default_connection())


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_a_header_that_knows_of_the_cut(tmp_path, part):
    """As if SQLite itself had cut it: what is missing shows where it is read, or is told."""
    path = full().write(tmp_path / "t.sqlite")
    content = bytearray(path.read_bytes())
    pages = int(len(content) // 4096 * part)
    content[28:32] = pages.to_bytes(4)
    path.write_bytes(content[: pages * 4096])
    found = outcome(path)
    assert isinstance(found, str)
