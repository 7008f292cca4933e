"""What people have instead of a trace is recognised, and the message names the command that comes next."""

import gzip
import json
import shutil

import pytest
from outcome import UNUSABLE, assert_refused
from processes import needs_nsys
from traces import EXPORT, FIXTURES
from variations import some

import gapfinder
from gapfinder.errors import TraceError
from gapfinder.ingest.nsys import report

# As torch.profiler writes it: the keys come in this order.
PYTORCH = {
    "schemaVersion": 1,
    "deviceProperties": [{"id": 0, "name": "NVIDIA H200"}],
    "traceEvents": [{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1.0, "dur": 2.0}],
}
RECORD = "record the program with: gapfinder capture -- PROGRAM"
FILES = {
    "profile.pt.trace.json": (json.dumps(PYTORCH, indent=2).encode(), f"of the PyTorch profiler.*{RECORD}"),
    "profile.json.gz": (gzip.compress(json.dumps(PYTORCH).encode()), f"of the PyTorch profiler.*{RECORD}"),
    "chrome.json": (json.dumps(PYTORCH["traceEvents"]).encode(), f"in Chrome's format.*{RECORD}"),
    "kernels.ncu-rep": (b"NVR\0" + bytes(99), f"report of Nsight Compute.*{RECORD}"),
    "renamed.nsys-rep": (b"NVR\0" + bytes(99), f"report of Nsight Compute.*{RECORD}"),
    "raw.qdstrm": (b"NVIDIA Tegra Profiler" + bytes(99), r"not imported; run \S*QdstrmImporter -i \S*raw.qdstrm"),
    "t.sqlite.zst": (b"\x28\xb5\x2f\xfd" + bytes(99), r"unpack it with: zstd -d \S*t.sqlite.zst"),
    "t.sqlite.xz": (b"\xfd7zXZ\0" + bytes(99), r"unpack it with: xz -dk \S*t.sqlite.xz"),
    "t.sqlite.gz": (gzip.compress(b"SQLite format 3\0" + bytes(999)), r"unpack it with: gunzip \S*t.sqlite.gz"),
    "cut.json.gz": (b"\x1f\x8b" + b"\xff" * 99, "unpack it with: gunzip"),
    "notes.txt": (b"some notes", f"neither an Nsight Systems report.*{RECORD}"),
}


@pytest.mark.parametrize("command", ["diagnose", "sql"])
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_kind(tmp_path, command_line, name, command):
    content, said = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    done = command_line(command, path, *(["SELECT 1"] if command == "sql" else []))
    assert_refused(done, UNUSABLE)
    assert done.errors.count(str(path)) >= 1
    with pytest.raises(TraceError, match=said):
        gapfinder.open(path)


def test_what_only_ends_like_one_is_read(tmp_path):
    shutil.copy(EXPORT, tmp_path / "export.json")
    with gapfinder.open(tmp_path / "export.json") as trace:
        assert trace.sql("SELECT count(*) AS n FROM gaps")["n"][0]


@needs_nsys
def test_the_importer_is_the_one_of_this_machine(tmp_path):
    (tmp_path / "raw.qdstrm").write_bytes(b"NVIDIA Tegra Profiler")
    if not any(report.find().resolve().parent.parent.glob("host-*/QdstrmImporter")):
        pytest.skip("this nsys comes without its importer")
    with pytest.raises(TraceError, match=r"run /\S+/QdstrmImporter -i"):
        gapfinder.open(tmp_path / "raw.qdstrm")


def test_folders_without_traces(tmp_path, command_line):
    def said():
        done = command_line("gaps", tmp_path)
        assert_refused(done)
        return done.errors

    assert RECORD in said()
    (tmp_path / "profile.json").write_text(json.dumps(PYTORCH))
    assert "folder without traces: " in said()
    assert "profile.json is a trace of the PyTorch profiler" in said()
    (tmp_path / "deeper").mkdir()
    shutil.copy(EXPORT, tmp_path / "deeper" / "rank0.sqlite")
    assert f"'{tmp_path}/*/*.sqlite'" in said()
    shutil.copy(EXPORT, tmp_path / "rank0.sqlite")
    assert f"name one, for example {tmp_path}/rank0.sqlite" in said()
    assert f"gapfinder diagnose {tmp_path}" in said()


@pytest.fixture
def job(tmp_path):
    """A folder of two ranks, and a third trace that was cut off."""
    for rank in range(2):
        shutil.copy(FIXTURES / f"straggler_rank{rank}.sqlite", tmp_path / f"rank{rank}.sqlite")
    whole = (tmp_path / "rank1.sqlite").read_bytes()
    (tmp_path / "rank2.sqlite").write_bytes(whole[: len(whole) // 2])
    return tmp_path


@pytest.mark.parametrize("command", some(1, ["diagnose", "report"]))
def test_one_unusable_trace_of_a_job_is_named(job, command_line, command):
    done = command_line(command, job)
    assert_refused(done)
    assert f"{job}/rank2.sqlite is damaged" in done.errors
    assert "--skip-unusable" in done.errors
    output = job.parent / "page.html"
    skipping = command_line(command, job, "--skip-unusable", *(["-o", output] if command == "report" else []))
    assert (skipping.status, skipping.errors.count("\n")) == (0, 1 if command == "report" else 0)


@pytest.mark.thorough
def test_without_the_unusable_trace_it_is_the_job_of_the_others(job):
    skipping = gapfinder.diagnose_job(job, skip_unusable=True)
    whole = gapfinder.diagnose_job(job / "rank0.sqlite", job / "rank1.sqlite")
    assert skipping.headline == f"Not certain, because what cannot be used is left out (rank2.sqlite). {whole.headline}"
    assert skipping.ranks == whole.ranks
    left_out, uncertain, *notes = skipping.notes
    assert "rank2.sqlite is damaged" in left_out
    assert "the verdict is not certain" in uncertain
    assert notes == list(whole.notes)
    (job / "rank1.sqlite").write_bytes(b"nothing")
    with pytest.raises(TraceError, match="there are not two traces left"):
        gapfinder.diagnose_job(job, skip_unusable=True)
