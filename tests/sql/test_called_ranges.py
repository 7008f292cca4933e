"""The name of an NVTX range counts where something of the kind is done there."""

import pytest
from synthetic import MS, US, Synthetic

from gapfinder.diagnosis.diagnose import diagnose


def saved(trace, start):
    trace.os("write", start + 3 * MS, start + 4 * MS)


def copied_back(trace, start):
    trace.copy(start + 7 * MS, start + 8 * MS, (start + 6 * MS, start + 6010 * US), direction="Device-to-Host")


def slept(trace, start):
    trace.os("usleep", start + 3 * MS, start + 3100 * US)


@pytest.mark.parametrize(
    ("done", "verdict", "is_told"),
    [(saved, "storage_io", False), (copied_back, "storage_io", False), (slept, "host_compute", True)],
)
def test_a_checkpoint_is_one_where_something_is_saved(done, verdict, is_told):
    trace = Synthetic()
    for start in range(0, 60 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        trace.kernel(start + 20 * US, start + 2 * MS, (start, start + 10 * US))
        trace.nvtx("checkpoint", start + 100 * US, start + 9900 * US)
        trace.os("usleep", start + 50 * US, start + 60 * US)
        done(trace, start)
    with trace.analysed() as analysed:
        found = diagnose(analysed)
    assert found.verdict == verdict
    assert any('"checkpoint"' in note for note in found.notes) == is_told
