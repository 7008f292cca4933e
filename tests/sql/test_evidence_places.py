"""The worst places of each cause."""

from collections import defaultdict

import pytest
from synthetic import MS, US, Synthetic
from traces import FIXTURES, opened

SHOWN = 3


@pytest.mark.parametrize("name", ["item_broken", "compile_full", "smallcopies_broken"])
def test_places_are_those_that_lose_most_in_all(name):
    trace = opened(FIXTURES / f"{name}.sqlite")
    segments = defaultdict(list)
    for row in trace.id_rows("SELECT * FROM window_segments"):
        segments[row["cause"]].append(row)
    expected = {cause: worst(found) for cause, found in segments.items()}
    found = defaultdict(list)
    for row in trace.id_rows("SELECT * FROM evidence_places"):
        found[row["cause"]].append((row["start_ns"], row["lost_ns"]))
    assert found == expected


def test_a_place_is_named_without_the_attributes_of_a_range():
    trace = Synthetic()
    trace.nvtx("XlaModule:#hlo_module=jit_step,program_id=7#", 0, 20 * MS)
    for at in (MS, 12 * MS):
        trace.kernel(at + 20 * US, at + MS, (at, at + 10 * US))
    with trace.analysed() as analysed:
        assert set(analysed.tuples("SELECT path FROM evidence_places")) == {("XlaModule jit_step",)}


def worst(segments):
    """Start of the first segment and time of all, of the places that lose most."""
    places = defaultdict(list)
    for row in segments:
        places[row["gpu"], row["gap_id"], row["activity_id"]].append(row)
    lost = [
        (-sum(row["end_ns"] - row["start_ns"] for row in rows), min(row["start_ns"] for row in rows), gpu)
        for (gpu, _, _), rows in places.items()
    ]
    return [(start_ns, -lost_ns) for lost_ns, start_ns, _ in sorted(lost)[:SHOWN]]
