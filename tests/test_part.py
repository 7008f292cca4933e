"""For a window in times only that part of the trace is read; the diagnosis is the same as of the whole."""

import os

import pytest
from test_parquet import write_parquet
from traces import FIXTURES, opened
from variations import some

import gapfinder
from gapfinder.errors import UsageError
from gapfinder.ingest.read_range import ReadRange
from gapfinder.options import Options, Window
from gapfinder.render.diagnosis.json import render

MARGIN_NS = 50_000_000  # these traces are shorter than the usual one


@pytest.fixture(autouse=True)
def _small_margin(monkeypatch):
    monkeypatch.setattr("gapfinder.ingest.read_range.MARGIN_NS", MARGIN_NS)


def diagnosed(path, window):
    """The JSON, and the number of activities that were read."""
    with gapfinder.open(path, window=window, config=os.devnull) as trace:
        return render(trace.diagnose(), width=0, color=False), trace.id_rows("SELECT count(*) AS activities FROM activities")[0][
            "activities"
        ]


def middle(path):
    """A window in the middle of a trace, and the number of its activities."""
    trace = opened(path, Options(window=Window(everything=True)))
    (span,) = trace.id_rows('SELECT start_ns, end_ns - start_ns AS length_ns FROM "window"')
    activities = trace.id_rows("SELECT count(*) AS activities FROM activities")[0]["activities"]
    return (
        f"{span['start_ns'] + span['length_ns'] * 45 // 100}ns..{span['start_ns'] + span['length_ns'] * 65 // 100}ns",
        activities,
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    some(
        1,
        [
            ("stream_dependency_control", "sqlite"),  # its queues are long
            ("tokenize_broken", "sqlite"),
            ("healthy_gemm", "parquet"),
        ],
    ),
)
def test_part_gives_the_diagnosis_of_the_whole(tmp_path, monkeypatch, name, kind):
    original = FIXTURES / f"{name}.sqlite"
    trace = original if kind == "sqlite" else write_parquet(original, tmp_path / original.name)
    window, activities = middle(original)
    part, read = diagnosed(trace, window)
    monkeypatch.setattr(ReadRange, "of", lambda _: None)
    whole, all_activities = diagnosed(trace, window)
    assert part == whole
    assert read < 0.6 * activities
    assert all_activities == activities


@pytest.mark.thorough
def test_conversion_keeps_the_whole(tmp_path):
    trace = FIXTURES / "healthy_gemm.sqlite"
    window, activities = middle(trace)
    kept = tmp_path / "kept.duckdb"
    gapfinder.convert(trace, kept, window=window, config=os.devnull)
    assert diagnosed(kept, "all")[1] == activities
    assert diagnosed(kept, window)[0] == diagnosed(trace, window)[0]


def test_window_without_work_is_refused():
    with (
        pytest.raises(UsageError, match="no GPU activity runs in that window"),
        gapfinder.open(FIXTURES / "healthy_gemm.sqlite", window="3600s..3601s", config=os.devnull),
    ):
        pass
