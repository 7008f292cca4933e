"""Reading an SQLite export leaves nothing behind, in the folder or in the process."""

import os
from pathlib import Path

import pytest
from synthetic import MS, Synthetic

OPEN_FILES = Path("/proc/self/fd")


@pytest.mark.skipif(not OPEN_FILES.is_dir(), reason="this system does not list open files")
def test_the_trace_is_closed_when_it_has_been_read():
    trace = Synthetic()
    trace.kernel(0, MS, launched=(0, 1))
    with trace.analysed():
        names = [os.readlink(entry) for entry in os.scandir(OPEN_FILES) if os.path.lexists(entry)]  # noqa: PTH115
    assert [name for name in names if "t.sqlite" in name] == []
