"""Which job and which rank a path is of."""

import pytest

from gapfinder.errors import UsageError
from gapfinder.fleet.naming import Naming


@pytest.mark.parametrize(
    ("path", "job", "rank"),
    [
        ("runs/llama/rank12.nsys-rep", "llama", 12),
        ("runs/llama/trace.Rank-3.sqlite", "llama", 3),
        ("runs/llama/rank_7/trace.nsys-rep", "llama", 7),
        ("runs/job=llama/rank=04/trace.nsys-rep", "llama", 4),
        ("runs/job=llama/day=3/rank=4/rank5.nsys-rep", "llama", 5),
        ("s3://bucket/llama/rank0.nsys-rep", "llama", 0),
        ("runs/llama/trace.nsys-rep", "llama", None),
        ("runs/llama/frank3.nsys-rep", "llama", None),
        ("runs/llama/node_rank1_rank12.nsys-rep", "llama", 12),  # as for a job
        ("trace.nsys-rep", "", None),
    ],
)
def test_as_usual(path, job, rank):
    assert Naming().of(path) == (job, rank)


def test_an_expression_of_the_users_own():
    naming = Naming.parse(r"(?P<job>[^/]+)/node\d+-gpu(?P<rank>\d+)")
    assert naming.of("runs/llama/node3-gpu17.nsys-rep") == ("llama", 17)
    assert naming.of("runs/other/rank1.nsys-rep") == ("other", 1)  # what it does not match is as usual
    assert Naming.parse(r"n(?P<rank>\d+)\.").of("runs/llama/n5.sqlite") == ("llama", 5)


@pytest.mark.parametrize("text", ["(", r"rank(\d+)", r"(?P<node>\d+)", "(?P<job>a{1,4294967296})", "(?P<job>" + "(" * 2000])
def test_expressions_that_are_none(text):
    with pytest.raises(UsageError):
        Naming.parse(text)


def test_an_expression_takes_no_longer_than_the_path_is_long():
    assert Naming.parse(r"(?P<job>(a+)+)$").of(f"runs/{'a' * 200}/x.sqlite")[0] == "a" * 200


def test_a_rank_that_is_no_number():
    with pytest.raises(UsageError, match=r"'a' in runs/a\.sqlite is not a rank"):
        Naming.parse(r"(?P<rank>\w+)\.sqlite").of("runs/a.sqlite")
