"""A file that somebody writes to while it is read: one line, never half of a trace."""

import os

import polars as pl
import pytest
from outcome import outcome
from samples import full
from variations import some

from gapfinder import convert
from gapfinder.errors import TraceError
from gapfinder.ingest.source import opened


@pytest.fixture
def trace(tmp_path):
    return full().write(tmp_path / "t.sqlite")


def grown(path):
    with path.open("ab") as file:
        file.write(bytes(4096))


def touched(path):
    os.utime(path, ns=(0, 0))


def replaced(path):
    path.write_bytes(path.read_bytes()[:4096])


@pytest.mark.parametrize("change", [grown, touched, replaced])
def test_file_that_changes_while_it_is_read(trace, change):
    with pytest.raises(TraceError, match="changed while it was read"), opened(trace, lambda _: None):
        change(trace)


def test_file_that_is_removed_while_it_is_open(trace):
    with pytest.raises(TraceError, match="changed while it was read"), opened(trace, lambda _: None):
        trace.unlink()


@pytest.mark.parametrize("ending", ["-journal", "-wal"])
def test_file_whose_writer_has_not_ended(trace, ending):
    """Or was killed: what the file lacks is in its journal."""
    trace.with_name(trace.name + ending).write_bytes(b"rows")
    assert "is being written" in outcome(trace)


@pytest.mark.parametrize("ending", ["-journal", "-wal"])
def test_journal_of_the_file_behind_a_link(trace, ending):
    trace.with_name(trace.name + ending).write_bytes(b"rows")
    link = trace.with_name("link.sqlite")
    link.symlink_to(trace)
    assert "is being written" in outcome(link)


@pytest.mark.parametrize("converted", some(1, [False, True]))
def test_folder_of_which_a_file_changes_while_it_is_read(trace, tmp_path, converted):
    """It would be a mixture of two traces."""
    folder = tmp_path / "folder"
    if converted:
        convert(trace, folder)
    else:
        folder.mkdir()
        for table, rows in full().rows().items():
            pl.DataFrame(rows, infer_schema_length=None).write_parquet(folder / f"{table}.parquet")
    (kernels,) = folder.rglob("CUPTI_ACTIVITY_KIND_KERNEL.parquet")
    with opened(folder, lambda _: None):
        pass
    for change in (touched, replaced, type(kernels).unlink):
        with pytest.raises(TraceError, match="changed while it was read"), opened(folder, lambda _: None):
            change(kernels)
