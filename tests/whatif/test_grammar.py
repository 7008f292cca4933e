"""What can be asked of `gapfinder whatif`, and what cannot."""

import math

import pytest

from gapfinder.errors import UsageError
from gapfinder.pipeline.causes import built_in
from gapfinder.whatif.grammar import speed_up, without


@pytest.mark.parametrize(
    ("text", "subject", "target"),
    [
        ("host_sync", "cause", "host_sync"),
        ("nvtx:checkpoint", "nvtx", "checkpoint"),
        ("nvtx:a: *b?", "nvtx", "a: *b?"),
        ("line:train.py:40", "line", "train.py:40"),
        ("line:C:/x/train.py:40", "line", "C:/x/train.py:40"),
        ("stream:20", "stream", "20"),
    ],
)
def test_without_is_parsed(text, subject, target):
    request = without(text, built_in())
    assert (request.subject, request.target, request.speedup, request.text) == (subject, target, math.inf, f"without {text}")


@pytest.mark.parametrize(
    ("text", "subject", "target", "speedup"),
    [
        ("kernel:*elementwise*=2", "kernel", "*elementwise*", 2),
        ("kernel:a=b=1.5", "kernel", "a=b", 1.5),
        ("copy=1.5", "copy", "", 1.5),
        ("copy:h2d=.5", "copy", "h2d", 0.5),
        ("cpu=1000", "cpu", "", 1000),
    ],
)
def test_speed_up_is_parsed(text, subject, target, speedup):
    request = speed_up(text)
    assert (request.subject, request.target, request.speedup) == (subject, target, speedup)


@pytest.mark.parametrize("text", ["", "sync", "nvtx:", "line:train.py", "line::3", "stream:x", "kernel:x", "unexplained"])
def test_what_cannot_be_left_out_is_refused(text):
    with pytest.raises(UsageError):
        without(text, built_in())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cpu",
        "cpu=",
        "cpu=0",
        "cpu=-1",
        "cpu=nan",
        "cpu=1e3",
        "cpu=1001",
        "cpu:x=2",
        "copy:up=2",
        "kernel:=2",
        "kernel=2",
        "x=2",
    ],
)
def test_what_cannot_be_sped_up_is_refused(text):
    with pytest.raises(UsageError):
        speed_up(text)
