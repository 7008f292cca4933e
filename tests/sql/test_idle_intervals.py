"""Idle time before each activity, compared with a plain loop over the activities."""

from random import Random

import pytest
from synthetic import Synthetic
from variations import some

from gapfinder.options import Options, Window

ACTIVITIES = 400  # on the first stream
LAUNCH_TO_START = (1, 5, 50, 500, 5_000, None)  # ns; None where the trace has no launch


def trace(streams):
    """A trace of two GPUs with these streams, and its end.

    A stream is three lists to choose from, in ns: pauses between activities, their lengths, and times from launch to start.
    """
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


def idle(activities, from_ns):
    """Idle time before each of these activities: (activity_id, gpu, start, end, end of the latest launch before).

    An activity is (activity_id, gpu, start, end, end of its launch).
    """
    found, until, launched = [], {}, {}
    for activity_id, gpu, start, end, launch_end in sorted(activities, key=lambda activity: (*activity[1:3], activity[0])):
        if start > (reached := until.get(gpu, from_ns)):
            found.append((activity_id, gpu, reached, start, launched.get(gpu)))
        until[gpu] = max(end, reached)
        if launch_end is not None:
            launched[gpu] = max(launch_end, launched.get(gpu, launch_end))
    return sorted(found)


@pytest.mark.parametrize("part", some(5, [False, True]))
@pytest.mark.parametrize(
    "streams",
    some(
        3,
        [
            [((0, 1, 3, 20, 900), (1, 2, 60), LAUNCH_TO_START)],
            [((0, 1, 3, 20, 900), (1, 2, 60), LAUNCH_TO_START)] * 2,
            [((0, 1, 9_000), (1, 4, 5_000), LAUNCH_TO_START)] * 3,
            # long activities of a second stream cover many gaps of the first, and are launched out of order
            [((3, 4), (1, 2), (800,)), ((600,), (200,), (1,))],
            [((3, 4), (1, 2), (800, None)), ((600,), (1, 200), (1, None))],
            [((3, 4), (1, 2), (None,)), ((600,), (200,), (None,))],
        ],
    ),
)
def test_idle_time_is_what_a_plain_loop_finds(streams, part):
    found, last = trace(streams)
    window = Window(from_ns=last // 4, to_ns=last // 2) if part else Window(everything=True)
    with found.analysed(Options(window=window)) as analysis:
        activities = analysis.tuples("SELECT activity_id, gpu, start_ns, end_ns, launch_end_ns FROM window_activities")
        [(from_ns,)] = analysis.tuples('SELECT start_ns FROM "window"')
        before = analysis.tuples(
            "SELECT activity_id, gpu, idle_since_ns, idle_until_ns, launched_until_ns FROM idle_intervals ORDER BY activity_id"
        )
        ended = "gaps SEMI JOIN idle_intervals ON activity_id = gap_id"
        gaps = analysis.tuples(f"SELECT gap_id, gpu, start_ns, end_ns, launched_until_ns FROM {ended} ORDER BY gap_id")
    expected = idle(activities, from_ns)
    assert len(expected) > 10
    assert before == expected
    assert gaps == expected
