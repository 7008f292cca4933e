"""Intervals hold what they are of as often as they say."""

from random import Random

import pytest

from gapfinder.comparison import bootstrap
from gapfinder.comparison.bootstrap import MIN_VALUES, mean_interval, ratio_interval

TRIALS = 200
DRAWS = {"normal": (lambda random: random.gauss(10, 1), 10), "exponential": (lambda random: random.expovariate(1), 1)}


def held(interval, truth):
    return interval[0] <= truth <= interval[1]


@pytest.mark.parametrize("draw", DRAWS)
def test_coverage(draw, monkeypatch):
    """Of 200 intervals about 95 % hold the truth; a few less than that are the bootstrap's own, from 20 values."""
    monkeypatch.setattr(bootstrap, "RESAMPLES", 300)
    random, (value, mean) = Random(7), DRAWS[draw]
    means = ratios = 0
    for _ in range(TRIALS):
        before, after = ([value(random) for _ in range(20)] for _ in range(2))
        means += held(mean_interval(before), mean)
        ratios += held(ratio_interval(before, after), 1)
    assert 0.88 <= means / TRIALS <= 0.985
    assert 0.91 <= ratios / TRIALS <= 0.985


def test_a_ratio_that_is_there():
    random = Random(3)
    before, after = ([random.gauss(mean, 0.5) for _ in range(20)] for mean in (20, 10))
    low, high = ratio_interval(before, after)
    assert low < 2 < high
    assert high - low < 0.15


def test_constant_steps_have_no_width():
    assert mean_interval([5, 5, 5, 5, 5]) == (5, 5)
    assert ratio_interval([6] * 5, [3] * 5) == (2, 2)


def test_the_same_at_every_run():
    values = [1, 2, 3, 4, 5, 9]
    assert mean_interval(values) == mean_interval(values)


def test_too_few_values():
    assert mean_interval([1] * (MIN_VALUES - 1)) is None
    assert ratio_interval([1] * 50, [1] * (MIN_VALUES - 1)) is None
    assert ratio_interval([1] * 50, [0] * 50) is None
