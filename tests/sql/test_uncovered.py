"""What no activity covers, told by the activity before each where that is enough, against a plain loop over all that began before."""

from random import Random

import pytest
from synthetic import Synthetic, tuples

from gapfinder.options import Options, Window

ACTIVITIES = 400  # on the first stream
LEADS = (1, 5, 50, 500, 5_000, None)


def trace(streams):
    """Streams of two GPUs that run side by side, by (pauses, lengths, leads): from launch to activity; None where there is no call."""
    found, random = Synthetic(), Random(str(streams))
    for gpu in (0, 1):
        last = 0
        for stream, (pauses, lengths, leads) in enumerate(streams):
            at, number = 0, 0
            while at < last if stream else number < ACTIVITIES:
                at += random.choice(pauses)
                end = at + random.choice(lengths)
                lead = random.choice(leads) if stream else leads[number // 100 % len(leads)]
                found.kernel(at, end, lead and (at - lead, at - lead + 1), gpu=gpu, stream=stream)
                at, number = end, number + 1
            last = max(at, last)
    return found, last


def gaps_of(activities, from_ns):
    """Of (activity_id, gpu, start, end, end of the launch): gap_id, gpu, start, end and the latest launch before of each gap."""
    found, until, launched = [], {}, {}
    for activity_id, gpu, start, end, launch_end in sorted(
        activities, key=lambda activity: (activity[1], activity[2], activity[0])
    ):
        if start > (reached := until.get(gpu, from_ns)):
            found.append((activity_id, gpu, reached, start, launched.get(gpu)))
        until[gpu] = max(end, reached)
        if launch_end is not None:
            launched[gpu] = max(launch_end, launched.get(gpu, launch_end))
    return sorted(found)


@pytest.mark.parametrize("part", [False, True])
@pytest.mark.parametrize(
    "streams",
    [
        [((0, 1, 3, 20, 900), (1, 2, 60), LEADS)],
        [((0, 1, 3, 20, 900), (1, 2, 60), LEADS)] * 2,
        [((0, 1, 9_000), (1, 4, 5_000), LEADS)] * 3,
        # activities of a second stream reach over many blocks in which all else is in order, and so do their launches
        [((3, 4), (1, 2), (800,)), ((600,), (200,), (1,))],
        [((3, 4), (1, 2), (800, None)), ((600,), (1, 200), (1, None))],
        [((3, 4), (1, 2), (None,)), ((600,), (200,), (None,))],
    ],
)
def test_it_is_what_a_loop_says(streams, part):
    found, last = trace(streams)
    window = Window(from_ns=last // 4, to_ns=last // 2) if part else Window(everything=True)
    with found.analysed(Options(window=window), upto="3_gaps") as analysis:
        activities = tuples(analysis, "SELECT activity_id, gpu, start_ns, end_ns, launch_end_ns FROM layers.window_activities")
        from_ns = tuples(analysis, 'SELECT start_ns FROM layers."window"')[0][0]
        told = tuples(
            analysis,
            "SELECT gap_id, gpu, start_ns, end_ns, launched_until_ns FROM layers.gaps WHERE gap_id >= 0 ORDER BY gap_id",
        )
    assert len(told) > 10
    assert told == gaps_of(activities, from_ns)
