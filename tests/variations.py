"""Many cases of one promise: a few of them run always, all of them with `pytest -m ''`.

What runs always is one case of each outcome, where a test has several (`one_of_each`), and else some that are far apart (`some`).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence

import pytest
from hypothesis import settings

_EXAMPLES = settings.default.max_examples
# For examples of Hypothesis that are a whole analysis each: fewer, but with `-m ''` or by hand.
ANALYSES = settings(max_examples=4 if _EXAMPLES == 8 else _EXAMPLES)


def some(count: int, cases: Sequence) -> list:
    """The cases, of which `count` run always, spread evenly over all. A tuple is of as many names as it has values."""
    always = {place * len(cases) // count for place in range(count)}
    return [case if place in always else _thorough(case) for place, case in enumerate(cases)]


def one_of_each(kind: Callable[..., Hashable], cases: Iterable[tuple]) -> list:
    """The cases, of which the first of each kind runs always. `kind` gets the values of a case."""
    seen: set[Hashable] = set()
    marked = []
    for case in cases:
        marked.append(_thorough(case) if kind(*case) in seen else case)
        seen.add(kind(*case))
    return marked


def _thorough(case):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.thorough)
