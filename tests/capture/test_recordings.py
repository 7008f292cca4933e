"""What is recorded where nsys or the machine can do less."""

from pathlib import Path

import pytest

from gapfinder.capture.abilities import Abilities
from gapfinder.capture.ending import how_it_ended
from gapfinder.capture.naming import report_path
from gapfinder.capture.recordings import OPTIONAL, RECORDINGS, flags, split
from gapfinder.capture.request import Request
from gapfinder.cli.commands.capture import capture
from gapfinder.errors import UsageError

ALL = (*RECORDINGS, *OPTIONAL)
TRACES = frozenset({"cuda", "nvtx", "osrt", "cudnn", "cublas", "python-gil"})
OPTIONS = frozenset(flag.partition("=")[0] for recording in ALL for flag in recording.flags)


def abilities(*, traces=TRACES, options=OPTIONS, samples_cpus=True):
    return Abilities(Path("nsys"), "1.2", options, traces, samples_cpus=samples_cpus)


def test_all_of_it():
    can, cannot = split(ALL, abilities())
    assert (can, cannot) == (list(ALL), [])
    assert flags(can)[0] == "--trace=cuda,nvtx,osrt,cudnn,cublas,python-gil"
    assert not [flag for flag in flags(can) if flag.endswith("=none")]


def test_each_that_is_not_always_made_has_an_option():
    assert {recording.option for recording in OPTIONAL} <= {name for option in capture.params for name in option.opts}
    assert Request(("true",), Path("report"), also=OPTIONAL).wanted == ALL
    assert not any(recording.option for recording in RECORDINGS)


@pytest.mark.parametrize(
    ("less", "what", "why"),
    [
        ({"traces": TRACES - {"python-gil"}}, ["the GIL"], "nsys 1.2 has no --trace=python-gil"),
        ({"options": OPTIONS - {"--python-sampling"}}, ["Python samples"], "nsys 1.2 has no --python-sampling"),
        ({"samples_cpus": False}, ["CPU samples", "context switches"], "this machine does not allow it"),
    ],
)
def test_less(less, what, why):
    can, cannot = split(RECORDINGS, abilities(**less))
    assert [left_out.recording.what for left_out in cannot] == what
    assert all(left_out.why.startswith(why) for left_out in cannot)
    if "samples_cpus" in less:
        assert {"--sample=none", "--cpuctxsw=none"} <= set(flags(can))


@pytest.mark.parametrize(
    ("asked", "bounds"),
    [
        ({}, []),
        ({"capture_range": "cudaProfilerApi"}, ["--capture-range=cudaProfilerApi", "--capture-range-end=stop"]),
        (
            {"capture_range": "a@b", "stop": True},
            ["--capture-range=nvtx", r"--nvtx-capture=a\@b@*", "--capture-range-end=stop-shutdown"],
        ),
        ({"steps": 3}, ["--capture-range=nvtx", "--nvtx-capture=gapfinder.capture@*", "--capture-range-end=stop"]),
        ({"delay_s": 2, "duration_s": 5}, ["--delay=2", "--duration=5"]),
    ],
)
def test_bounds(asked, bounds):
    assert Request(("true",), Path("report"), **asked).bounds() == bounds


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"delay_s": 60, "duration_s": 20}, "the recording takes 20 s and ends the program 80 s after its start"),
        ({"duration_s": 5}, "the recording takes 5 s and ends the program 5 s after its start"),
        ({"delay_s": 60}, None),
        ({"steps": 3, "duration_s": 5}, None),
        ({"capture_range": "cudaProfilerApi", "duration_s": 5}, None),
    ],
)
def test_how_long_it_takes_is_told_where_it_is_known(asked, told):
    assert Request(("true",), Path("report"), **asked).when() == told


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("sh train.py --epochs 3", "train.nsys-rep"),
        ("env torchrun --nproc-per-node 2 code/train.py", "train.nsys-rep"),
        ("sh -m app.train", "app.train.nsys-rep"),
        ("/bin/true", "true.nsys-rep"),
    ],
)
def test_name_of_the_report(program, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert report_path(tuple(program.split()), None, force=False) == Path(name)
    Path(name).touch()
    assert report_path(tuple(program.split()), None, force=False) == Path(name.replace(".nsys-rep", "1.nsys-rep"))
    with pytest.raises(UsageError, match="--force"):
        report_path(tuple(program.split()), Path(name), force=False)
    assert report_path(tuple(program.split()), Path(name), force=True) == Path(name)


@pytest.mark.parametrize(
    ("asked", "flag"),
    [
        ({"steps": 3}, "--warmup"),
        ({"capture_range": "load"}, "--capture-range"),
        ({"duration_s": 5, "delay_s": 2}, "--duration"),
        ({"delay_s": 2}, "--delay"),
        ({}, "--follow-forks"),
    ],
)
def test_an_idle_recording_says_what_to_change(asked, flag):
    assert flag in Request(("true",), Path("report"), **asked).why_idle()


@pytest.mark.parametrize(
    ("status", "flags", "suspected"),
    [(139, (), True), (134, (), True), (139, ("--python-sampling=false",), False), (1, (), False), (143, (), False)],
)
def test_the_sampler_is_suspected_of_a_crash_where_it_sampled(status, flags, suspected):
    said = how_it_ended(Request(("train",), Path("report"), nsys_flags=flags), status)
    assert f"status {status}" in said
    assert ("--nsys-flag=--python-sampling=false" in said) == suspected
