"""What each activity waited for: its launch, the activity before it on its stream, or an activity of another stream or GPU."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from gapfinder.pipeline.limits import SOON
from gapfinder.replay.timeline import Activity

USUAL_QUEUE_NS = 1_200  # between two queued activities (H200: 0.8 to 1.5 us)
MAX_QUEUE_NS = 20_000  # a longer distance between two activities of a stream is not queue latency
# An activity waited for another stream if it starts this much later than its launch and its own stream allow.
MIN_DEPENDENCY_NS = 10_000
# It waited for the activity that ended last there, if that ended at most this long before the start.
MAX_DEPENDENCY_DELAY_NS = 30_000
# A collective may also wait until running kernels leave room for it: 104 us where these take 1 to 4 ms (rank_imbalance_faulty).
MAX_COLLECTIVE_DELAY_NS = 200_000


@dataclass(frozen=True)
class Delays:
    """The minimal delays before the start of each activity, in ns; the lists have one entry for each activity.

    `after_launch` is the delay from its launch, `after_stream` from the end of the activity before it on its stream. `needs` has
    for some activities (by index) the index of an activity on another stream or GPU and the delay from its end. `launch_ns` is
    the usual time from a launch to the start of its activity.
    """

    after_launch: list[float]
    after_stream: list[float]
    needs: dict[int, tuple[int, int]]
    launch_ns: float


def delays(activities: Sequence[Activity], origin_ns: int, usual_launch_ns: float) -> Delays:
    """The delays of all activities. What an activity waited for keeps its measured delay; anything else gets the usual delay.

    `usual_launch_ns` is the usual delay from a launch, for activities of which none shows it. The first activity of a stream, if
    launched before `origin_ns`, waited for an activity that is not replayed.
    """
    before = _ends_before(activities)
    needs = _needs(activities, before)
    streamed = [
        (activity, end_ns)
        for index, activity in enumerate(activities)
        if (end_ns := before[index]) is not None and index not in needs
    ]
    late = [activity.start_ns - activity.launch_start_ns for activity, end_ns in streamed if activity.launch_start_ns >= end_ns]
    launch_ns = median(late) if late else usual_launch_ns
    # copies from and to the host change engines, or wait for the CPU: 5.8 us where kernels follow each other after 1.5 us
    queued = [
        activity.start_ns - end_ns
        for activity, end_ns in streamed
        if activity.launch_start_ns < end_ns - launch_ns and not activity.role
    ]
    queued = [gap_ns for gap_ns in queued if gap_ns < MAX_QUEUE_NS]
    queue_ns = median(queued) if queued else USUAL_QUEUE_NS
    result = Delays([], [], needs, launch_ns)
    for index, activity in enumerate(activities):
        end_ns = before[index]
        since_launch = activity.start_ns - activity.launch_start_ns
        after_launch, after_stream = float(since_launch), float(queue_ns)
        if index in needs:
            after_launch = min(since_launch, launch_ns)
        elif end_ns is None:
            after_stream = 0
            if activity.launch_start_ns < origin_ns:
                after_launch = min(since_launch, launch_ns)
        elif activity.launch_start_ns < end_ns:
            at_once = since_launch <= SOON * launch_ns and activity.launch_start_ns >= end_ns - launch_ns
            # the call was held up, and the activity waited for its end
            held_up = end_ns + SOON * launch_ns < activity.launch_end_ns <= activity.start_ns + SOON * launch_ns
            if at_once or held_up:
                after_stream = min(queue_ns, max(0, activity.start_ns - end_ns))
            else:
                after_launch, after_stream = min(launch_ns, since_launch), activity.start_ns - end_ns
        result.after_launch.append(after_launch)
        result.after_stream.append(after_stream)
    return result


def _ends_before(activities: Sequence[Activity]) -> list[int | None]:
    """For each activity, the end of the activity before it on its stream, ns; None for the first."""
    ends: dict[tuple[int, int], int] = {}
    before: list[int | None] = [None] * len(activities)
    for index in sorted(range(len(activities)), key=lambda index: (activities[index].start_ns, activities[index].end_ns)):
        activity = activities[index]
        stream = (activity.gpu, activity.stream)
        before[index] = ends.get(stream)
        ends[stream] = max(activity.end_ns, ends.get(stream, activity.end_ns))
    return before


def _needs(activities: Sequence[Activity], before: Sequence[int | None]) -> dict[int, tuple[int, int]]:
    """The activities that waited for another stream, also of another GPU of the process, as the layers of a model on several do.

    By index: the index of the other activity and the delay from its end, ns.
    """
    by_end = sorted(range(len(activities)), key=lambda index: activities[index].end_ns)
    needs = {}
    for index, activity in enumerate(activities):
        ready_ns = max(before[index] or 0, activity.launch_start_ns)
        if activity.start_ns - ready_ns <= MIN_DEPENDENCY_NS:
            continue
        within_ns = MAX_COLLECTIVE_DELAY_NS if activity.kind == "communication" else MAX_DEPENDENCY_DELAY_NS
        ended = bisect_right(by_end, activity.start_ns, key=lambda other: activities[other].end_ns)
        for position in range(ended - 1, -1, -1):
            other = by_end[position]
            if activities[other].end_ns <= max(ready_ns, activity.start_ns - within_ns):
                break
            # an activity cannot wait for one that was launched later
            is_other_stream = (activities[other].gpu, activities[other].stream) != (activity.gpu, activity.stream)
            if other < index and is_other_stream:
                needs[index] = (other, activity.start_ns - activities[other].end_ns)
                break
    return needs
