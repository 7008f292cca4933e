"""Many cases of one promise: a few of them run always, all of them with `pytest -m ''`."""

from collections.abc import Sequence

import pytest


def some(count: int, cases: Sequence) -> list:
    """The cases, of which `count` run always, spread evenly over all. A tuple is of as many names as it has values."""
    always = {place * len(cases) // count for place in range(count)}
    return [case if place in always else _thorough(case) for place, case in enumerate(cases)]


def _thorough(case):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.thorough)
