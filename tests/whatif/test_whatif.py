"""`gapfinder whatif`, as its users run it."""

import json

import pytest
from click.testing import CliRunner
from synthetic import MS, US, Synthetic
from traces import FIXTURES, diagnosis

from gapfinder import convert
from gapfinder.cli.main import gapfinder
from gapfinder.errors import UsageError


def asked(trace, *arguments):
    """The answer as JSON."""
    result = CliRunner().invoke(gapfinder, ["whatif", str(trace), "--format", "json", *arguments], catch_exceptions=False)
    return json.loads(result.output)


def refused(trace, *arguments):
    result = CliRunner().invoke(gapfinder, ["whatif", str(trace), *arguments])
    assert isinstance(result.exception, UsageError)
    return str(result.exception)


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """Ten steps: two ranges of code of 1 and 3 ms, a copy, two kernels of 1 ms on two streams."""
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        trace.nvtx("make a batch", start, start + MS)
        trace.nvtx("make labels", start + MS, start + 4 * MS)
        trace.copy(start + 4010 * US, start + 5 * MS, (start + 4 * MS, start + 4 * MS + 5 * US))
        trace.kernel(start + 6 * MS, start + 7 * MS, (start + 4100 * US, start + 4105 * US), name="gemm", stream=8)
        trace.kernel(start + 7001 * US, start + 8 * MS, (start + 4110 * US, start + 4115 * US), name="relu", stream=8)
        for at in range(start + 100 * US, start + 4 * MS, MS):
            trace.sample(at, ("/home/user/train.py", "labels", 7 if at > start + MS else 6))
    folder = tmp_path_factory.mktemp("whatif")
    convert(trace.write(folder / "busy.sqlite"), folder / "busy.duckdb")  # opens sooner
    return folder / "busy.duckdb"


@pytest.mark.parametrize(
    ("arguments", "saved_ms", "matched"),
    [
        (("--without", "nvtx:make labels"), 3, "10 ranges in 10 replayed steps, 3.00 ms of CPU time a step"),
        (("--without", "nvtx:make*"), 4, "20 ranges in 10 replayed steps, 4.00 ms of CPU time a step"),
        (("--without", "line:train.py:7"), 3, "30 samples"),
        (("--without", "line:user/train.py:6"), 1, "10 samples"),
        # the CPU is the bound: nothing is won
        (("--speed-up", "kernel:*e*=2"), 0, "2 kernels, 20 activities, 2.00 ms a step"),
        (("--speed-up", "kernel:gemm=1"), 0, "1 kernel, 10 activities"),
        (("--speed-up", "copy:h2d=1"), 0, "10 copies"),
        (("--speed-up", "cpu=1"), 0, "of CPU time a step"),
    ],
)
def test_what_is_asked_is_what_changes(busy, arguments, saved_ms, matched):
    answer = asked(busy, *arguments)
    (one,) = answer["changes"]
    assert abs(answer["replay_error"]) < 0.01
    assert matched in one["matched"]
    assert answer["step_ns"] - one["predicted_step_ns"] == pytest.approx(saved_ms * MS, abs=0.35 * MS)
    assert answer["together_step_ns"] == one["predicted_step_ns"]


def test_copies_between_gpus_are_copies(tmp_path):
    trace = Synthetic()
    for number in range(100):
        at, launch = MS + number * 100 * US, number * 5 * US
        trace.copy(at, at + 99 * US, (launch, launch + 3 * US), direction="Peer-to-Peer", host="Device")
    wanted = ("--speed-up", "copy=2", "--speed-up", "copy:p2p=2")
    answer = asked(trace.write(tmp_path / "t.sqlite"), "--window", "all", *wanted)
    assert [one["matched"].startswith("100 copies") for one in answer["changes"]] == [True, True]
    assert [one["predicted_step_ns"] / answer["step_ns"] for one in answer["changes"]] == pytest.approx([0.5, 0.5], rel=0.02)


def test_faster_kernels_count_where_the_gpu_is_the_bound(tmp_path):
    trace = Synthetic()
    for number in range(100):
        at, launch = MS + number * 100 * US, number * 5 * US
        name = "gemm" if number % 2 else "relu"
        trace.kernel(at, at + 99 * US, (launch, launch + 3 * US), name=name)
    answer = asked(
        trace.write(tmp_path / "t.sqlite"), "--window", "all", "--speed-up", "kernel:gemm=3", "--speed-up", "kernel:*=3"
    )
    shares = [one["predicted_step_ns"] / answer["step_ns"] for one in answer["changes"]]
    assert shares == pytest.approx([1 - 0.33, 1 - 0.66], rel=0.01)


def test_all_together_is_not_longer_than_each(busy):
    answer = asked(
        busy, "--without", "nvtx:make*", "--speed-up", "cpu=1.2", "--speed-up", "kernel:relu=4", "--speed-up", "copy=2"
    )
    assert len(answer["changes"]) == 4
    assert answer["together_step_ns"] <= min(one["predicted_step_ns"] for one in answer["changes"])


@pytest.mark.parametrize(
    ("arguments", "there"),
    [
        (("--without", "nvtx:zz"), "make a batch, step, make labels"),
        (("--without", "line:other.py:7"), "train.py:7, train.py:6"),
        (("--without", "stream:3"), "8, 7"),
        (("--speed-up", "kernel:zz=2"), "gemm, relu"),
        (("--speed-up", "copy:d2h=2"), "there is h2d"),
        (("--without", "host_sync"), "no time is lost to host_sync"),
        (("--without", "nothing"), "the causes are communication"),
        ((), "nothing to change"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(busy, arguments, there):
    assert there in refused(busy, *arguments)


def test_a_cause_is_taken_away_as_the_diagnosis_does():
    trace = FIXTURES / "item_broken.sqlite"
    answer = asked(trace, "--without", "host_sync", "--without", "launch_bound")
    found = diagnosis(trace)
    assert [one["predicted_step_ns"] for one in answer["changes"]] == [
        next(cause.predicted_step_ns for cause in found.causes if cause.cause == name) for name in ("host_sync", "launch_bound")
    ]
    assert answer["together_step_ns"] == found.fixes[-1].predicted_step_ns


def test_a_cause_that_varies_is_taken_away_as_the_diagnosis_does():
    """Of input_pipeline, the replayed steps lose a fifth more than all steps do."""
    trace = FIXTURES / "dcgan.sqlite"
    (one,) = asked(trace, "--without", "input_pipeline")["changes"]
    (expected,) = (cause.predicted_step_ns for cause in diagnosis(trace).causes if cause.cause == "input_pipeline")
    assert one["predicted_step_ns"] == expected


def test_of_several_ranks_one_is_replayed_and_it_says_so():
    """On the rank that waits, launches cost little; a replay of all ranks can do without them."""
    trace = FIXTURES / "tensor_parallel.sqlite"
    assert "replays all ranks of this report together" in refused(trace, "--without", "launch_bound")
    assert "One rank is replayed here" in asked(trace, "--without", "rank_imbalance")["note"]


def test_of_a_lone_rank_communication_cannot_be_removed():
    assert "with the report of one rank" in refused(FIXTURES / "straggler_rank0.sqlite", "--without", "communication")


def test_a_cause_that_no_replay_removes_leaves_the_other_changes():
    answer = asked(FIXTURES / "straggler_rank0.sqlite", "--without", "communication", "--speed-up", "cpu=2")
    unremovable, faster = answer["changes"]
    assert unremovable["predicted_step_ns"] is None
    assert "with the report of one rank" in unremovable["matched"]
    assert faster["predicted_step_ns"] < answer["step_ns"]
    assert (answer["together_step_ns"], answer["note"]) == (
        None,
        "All together is not predicted, because no replay of all steps removes communication.",
    )


def test_a_line_that_waits_is_left_out_with_its_waits():
    (line, cause) = asked(FIXTURES / "pysample_item.sqlite", "--without", "line:train.py:40", "--without", "host_sync")["changes"]
    assert "its waits for the GPU go, too (download)" in line["matched"]
    assert line["predicted_step_ns"] == pytest.approx(cause["predicted_step_ns"], rel=0.05)


def test_a_line_that_waits_for_its_batch_is_left_out_with_that_wait():
    """Its samples also stand in the code around the wait, so that a little more is saved than without the cause."""
    (line, cause) = asked(FIXTURES / "dcgan.sqlite", "--without", "line:main.py:223", "--without", "input_pipeline")["changes"]
    assert "waits for the GPU" not in line["matched"]
    assert 0.85 * cause["predicted_step_ns"] <= line["predicted_step_ns"] <= cause["predicted_step_ns"]


def test_an_untrusted_replay_predicts_nothing(monkeypatch):
    monkeypatch.setattr("gapfinder.whatif.answer.MAX_ERROR", -1)
    answer = asked(FIXTURES / "item_broken.sqlite", "--without", "host_sync")
    assert [one["predicted_step_ns"] for one in answer["changes"]] == [None]
    assert answer["together_step_ns"] is None
    assert "Nothing is predicted" in answer["note"]


def test_a_trace_without_calls_predicts_nothing(tmp_path):
    trace = Synthetic()
    trace.kernel(0, MS)
    answer = asked(trace.write(tmp_path / "t.sqlite"), "--without", "host_sync")
    assert answer["replay_error"] is None
    assert "Nothing is predicted" in answer["note"]


def test_the_command(tmp_path, command_line):
    trace, answer = FIXTURES / "item_broken.sqlite", tmp_path / "answer.md"
    text = command_line("whatif", trace, "--without", "host_sync", "--speed-up", "kernel:*elementwise*=2")
    assert (text.status, text.errors) == (0, "")
    assert "without host_sync" in text.output
    assert "all together" in text.output
    assert max(map(len, text.output.splitlines())) <= 80
    markdown = command_line("whatif", trace, "--without", "nvtx:forward", "--format", "markdown", "-o", answer)
    assert (markdown.status, markdown.output) == (0, "")
    assert "| without nvtx\\:forward |" in answer.read_text()
    wrong = command_line("whatif", trace, "--speed-up", "cpu")
    assert (wrong.status, wrong.output, wrong.errors.count("\n")) == (2, "", 1)
    unusable = command_line("whatif", FIXTURES / "no_gpu_work.sqlite", "--without", "host_sync")
    assert (unusable.status, unusable.output, unusable.errors.count("\n")) == (3, "", 1)


def test_a_line_that_another_threads_wait_covers_does_not_wait(tmp_path):
    trace = Synthetic()
    main, worker = trace.thread(1), trace.thread(2)
    for start in range(0, 400 * MS, 20 * MS):
        trace.nvtx("step", start, start + 19 * MS)
        trace.kernel(start + MS, start + 10 * MS, (start + 500 * US, start + 510 * US), thread=main)
        trace.call("cudaDeviceSynchronize_v3020", start + 600 * US, start + 10 * MS + 10 * US, main)
        launched = (start + 11 * MS, start + 11 * MS + 10 * US)
        trace.kernel(start + 12 * MS, start + 12 * MS + 100 * US, launched, thread=worker, stream=9)
        for at in range(start + MS, start + 10 * MS, MS):
            trace.sample(at, ("/x/worker.py", "busy", 7), thread=worker)
    answer = asked(trace.write(tmp_path / "two.sqlite"), "--without", "line:worker.py:7")
    (change,) = answer["changes"]
    assert "waits for the GPU" not in change["matched"]
    assert change["predicted_step_ns"] == pytest.approx(answer["step_ns"], rel=0.01)


@pytest.mark.parametrize("two_gpus", [False, True])
def test_a_kernel_waits_for_another_stream_also_of_another_gpu(tmp_path, two_gpus):
    """As a layer on the second GPU waits for the one before it. The first kernel takes 12 of 25 ms."""
    trace = Synthetic()
    trace.thread(1)
    for start in range(0, 600 * MS, 30 * MS):
        trace.nvtx("step", start, start + 29 * MS)
        trace.kernel(start + MS, start + 13 * MS, (start + 500 * US, start + 510 * US), name="first")
        gpu, stream = (1, 7) if two_gpus else (0, 9)
        trace.stream_wait(start + 515 * US, start + 516 * US, stream)
        launched = (start + 520 * US, start + 530 * US)
        trace.kernel(start + 13 * MS + 15 * US, start + 25 * MS, launched, gpu=gpu, stream=stream, name="second")
        trace.call("cudaDeviceSynchronize_v3020", start + 540 * US, start + 25 * MS + 10 * US)
    answer = asked(trace.write(tmp_path / "layers.sqlite"), "--speed-up", "kernel:first=2")
    (change,) = answer["changes"]
    assert answer["step_ns"] - change["predicted_step_ns"] == pytest.approx(6 * MS, rel=0.01)


def test_names_with_brackets_are_names(tmp_path):
    trace = Synthetic()
    trace.thread(1)
    for start in range(0, 120 * MS, 10 * MS):
        trace.nvtx("step", start, start + 10 * MS)
        trace.nvtx("layer[0]", start, start + 4 * MS)
        trace.kernel(start + 4 * MS, start + 5 * MS, (start + 3900 * US, start + 3910 * US), name="gemm[v2]")
    changes = asked(trace.write(tmp_path / "it.sqlite"), "--without", "nvtx:layer[0]", "--speed-up", "kernel:gemm[v2]=2")[
        "changes"
    ]
    assert [change["matched"].partition(",")[0] for change in changes] == ["12 ranges in 12 replayed steps", "1 kernel"]
