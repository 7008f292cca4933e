"""What recording the events cost."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gapfinder.replay.unprofiled import LAUNCH, MOST_NS, MOST_SHARE, _costs

events = st.lists(st.tuples(st.integers(0, 100_000), st.sampled_from([*MOST_NS])), min_size=1, max_size=40).map(sorted)


def one_after_the_other(events):
    """The cost of all events, ns: each costs its time, a launch at most a share of the time to the next launch."""
    launches = [start_ns for start_ns, kind in events if kind == LAUNCH]
    total_ns, free_ns = 0.0, 0.0
    for start_ns, kind in events:
        cost_ns = float(MOST_NS[kind])
        if kind == LAUNCH:
            launches.pop(0)
            if launches and launches[0] > start_ns:
                cost_ns = min(cost_ns, MOST_SHARE * (launches[0] - start_ns))
        free_ns = max(free_ns, start_ns) + cost_ns
        total_ns += cost_ns
    return total_ns, free_ns


@given(events)
def test_cost_is_that_of_one_event_after_the_other(events):
    start_ns, kinds = zip(*events, strict=True)
    found = _costs({"start_ns": np.array(start_ns), "kind": np.array(kinds, object)}, MOST_NS, MOST_SHARE)
    total_ns, end_ns = one_after_the_other(events)
    assert 0 <= total_ns - found.length_ns <= len(events)
    assert 0 <= end_ns - found.end_ns[-1] <= len(events)
