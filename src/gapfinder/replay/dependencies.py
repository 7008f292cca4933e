"""What each activity waited for: its launch, the activity before it on its stream, and sometimes one on another stream."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from gapfinder.replay.timeline import Activity

USUAL_LAUNCH_NS = 6_000  # launch to start on an idle H200 where the trace has no such launch (nsys 2025.3: 6.3 to 6.5 us)
USUAL_QUEUE_NS = 1_200  # between two queued activities (0.8 to 1.5 us on an H200)
QUEUED_AT_MOST_NS = 20_000  # a longer distance between two activities of a stream is not the queue's
DEPENDS_FROM_NS = 10_000  # an activity that starts later than its launch and stream explain waited for another stream
DEPENDS_WITHIN_NS = 30_000  # for the activity there that ended last, at most so long before
# A collective may also wait for room beside the kernels that run: 104 us where these take 1 to 4 ms (rank_imbalance_faulty).
COLLECTIVE_WITHIN_NS = 200_000


@dataclass(frozen=True)
class Delays:
    """The least time before the start of each activity, by its place, ns.

    `after_launch` counts from its launch, `after_stream` from the end of the activity before it on its stream. `needs` has, for
    some, the place of an activity on another stream and the time from its end. `launch_ns` is the usual time from a launch to the
    start of its activity.
    """

    after_launch: list[float]
    after_stream: list[float]
    needs: dict[int, tuple[int, int]]
    launch_ns: float


def delays(activities: Sequence[Activity], origin_ns: int) -> Delays:
    """What held each activity in the trace keeps its distance; to what did not, the distance is the usual one.

    The first activity of a stream that was launched before `origin_ns` was held by one that is not replayed.
    """
    before = _ends_before(activities)
    needs = _needs(activities, before)
    streamed = [
        (activity, end_ns)
        for place, activity in enumerate(activities)
        if (end_ns := before[place]) is not None and place not in needs
    ]
    late = [activity.start_ns - activity.launch_start_ns for activity, end_ns in streamed if activity.launch_start_ns >= end_ns]
    launch_ns = median(late) if late else USUAL_LAUNCH_NS
    queued = [activity.start_ns - end_ns for activity, end_ns in streamed if activity.launch_start_ns < end_ns - launch_ns]
    queued = [gap_ns for gap_ns in queued if gap_ns < QUEUED_AT_MOST_NS]
    queue_ns = median(queued) if queued else USUAL_QUEUE_NS
    found = Delays([], [], needs, launch_ns)
    for place, activity in enumerate(activities):
        end_ns = before[place]
        since_launch = activity.start_ns - activity.launch_start_ns
        after_launch, after_stream = float(since_launch), float(queue_ns)
        if place in needs:
            after_launch = min(since_launch, launch_ns)
        elif end_ns is None:
            after_stream = 0
            if activity.launch_start_ns < origin_ns:
                after_launch = min(since_launch, launch_ns)
        elif activity.launch_start_ns < end_ns:
            held_by_launch = since_launch <= 4 * launch_ns and activity.launch_start_ns >= end_ns - launch_ns
            if held_by_launch:
                after_stream = min(queue_ns, max(0, activity.start_ns - end_ns))
            else:
                after_launch, after_stream = min(launch_ns, since_launch), activity.start_ns - end_ns
        found.after_launch.append(after_launch)
        found.after_stream.append(after_stream)
    return found


def _ends_before(activities: Sequence[Activity]) -> list[int | None]:
    """For each activity the end of the one before it on its stream, ns."""
    ends: dict[tuple[int, int], int] = {}
    before: list[int | None] = [None] * len(activities)
    for place in sorted(range(len(activities)), key=lambda place: (activities[place].start_ns, activities[place].end_ns)):
        activity = activities[place]
        stream = (activity.gpu, activity.stream)
        before[place] = ends.get(stream)
        ends[stream] = max(activity.end_ns, ends.get(stream, activity.end_ns))
    return before


def _needs(activities: Sequence[Activity], before: Sequence[int | None]) -> dict[int, tuple[int, int]]:
    """Which activities waited for another stream: the place of the activity there, and the time from its end, ns."""
    by_gpu: dict[int, list[int]] = {}
    for place in sorted(range(len(activities)), key=lambda place: activities[place].end_ns):
        by_gpu.setdefault(activities[place].gpu, []).append(place)
    found = {}
    for place, activity in enumerate(activities):
        ready_ns = max(before[place] or 0, activity.launch_start_ns)
        if activity.start_ns - ready_ns <= DEPENDS_FROM_NS:
            continue
        ended = by_gpu[activity.gpu]
        within_ns = COLLECTIVE_WITHIN_NS if activity.kind == "communication" else DEPENDS_WITHIN_NS
        for at in range(bisect_right(ended, activity.start_ns, key=lambda other: activities[other].end_ns) - 1, -1, -1):
            other = ended[at]
            if activities[other].end_ns <= max(ready_ns, activity.start_ns - within_ns):
                break
            if other < place and activities[other].stream != activity.stream:  # nothing waits for what was launched after it
                found[place] = (other, activity.start_ns - activities[other].end_ns)
                break
    return found
