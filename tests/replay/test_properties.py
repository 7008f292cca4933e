"""What holds of a replay on any timeline."""

from hypothesis import assume, given
from hypothesis import strategies as st

from gapfinder.replay.change import Change
from gapfinder.replay.intervals import Intervals
from gapfinder.replay.replay import Replay
from gapfinder.replay.timeline import Activity, Call, ReplayWindow, Timeline

US = 1_000
LAUNCH_NS, QUEUE_NS = 6 * US, 1_200


@st.composite
def timelines(draw):
    """What a simple GPU does: activities in order on three streams, copies of several kinds, waits, code of any length."""
    activities, calls, cpu_ns, ends = [], [], 0, {}
    for number in range(draw(st.integers(2, 25))):
        cpu_ns += draw(st.sampled_from([1, 5, 50, 800, 3_000])) * US
        if draw(st.integers(0, 4)) == 0 and activities:
            kind = draw(st.sampled_from(["sync", "download", "upload", "memory"]))
            end_ns = max(cpu_ns + US, max(activity.end_ns for activity in activities) + 2 * US)
            calls.append(Call(cpu_ns, end_ns, range(0), kind, for_all=kind == "memory"))
            cpu_ns = end_ns
            continue
        kind = draw(st.sampled_from(["compute", "compute", "copy", "communication"]))
        direction = draw(st.sampled_from(["Host-to-Device", "Device-to-Host", "Device-to-Device"])) if kind == "copy" else ""
        stream = draw(st.integers(1, 3))
        start_ns = max(cpu_ns + LAUNCH_NS, ends.get(stream, -QUEUE_NS) + QUEUE_NS)
        end_ns = ends[stream] = start_ns + draw(st.integers(1, 500)) * US
        size = draw(st.sampled_from([4, 1 << 20])) if kind == "copy" else 0
        pageable = kind == "copy" and draw(st.booleans())
        arrived_ns = draw(st.integers(start_ns, end_ns)) if kind == "communication" else start_ns
        call_end_ns = end_ns + US if pageable else cpu_ns + 4 * US
        role = ("read_back" if size == 4 else "host_copy") if direction == "Device-to-Host" else ""
        role = "host_copy" if direction == "Host-to-Device" else role
        times = (start_ns, end_ns, cpu_ns, call_end_ns, arrived_ns)
        activities.append(Activity(number, kind, 0, stream, 1, *times, direction, role, pageable, pageable, size))
        calls.append(Call(cpu_ns, call_end_ns, range(len(activities) - 1, len(activities)), activities[-1].role, for_all=False))
        cpu_ns = call_end_ns
    assume(any(activity.kind == "compute" for activity in activities))
    spent = {"host_compute": draw(intervals(cpu_ns)), "lock_contention": draw(intervals(cpu_ns))}
    window = ReplayWindow(pid=1, start_ns=0, end_ns=cpu_ns, steps=1, whole=True)
    return Timeline(
        window,
        from_start=True,
        calls=calls,
        activities=activities,
        cpu_intervals=spent,
        own_work_ns=1_000 * US,
        usual_launch_ns=LAUNCH_NS,
    )


def intervals(until_ns):
    time = st.integers(0, until_ns)
    return st.lists(st.tuples(time, time).map(sorted), max_size=4).map(Intervals.of)


@st.composite
def changes(draw, timeline):
    return Change(
        removed=draw(intervals(timeline.window.end_ns)),
        removed_wholly=draw(intervals(timeline.window.end_ns)),
        gpu_removed=draw(st.dictionaries(st.integers(0, 1), intervals(timeline.window.end_ns))),
        without_waits=draw(st.frozensets(st.sampled_from(["sync", "download", "upload", "memory"]))),
        overlapped=draw(st.frozensets(st.sampled_from(["copy", "communication"]))),
        independent=draw(st.frozensets(st.tuples(st.integers(0, 1), st.integers(1, 3)))),
        ranks_in_step=draw(st.booleans()),
        as_graph=draw(st.booleans()),
        queued_as_graph=draw(st.booleans()),
        cpu_factor=draw(st.sampled_from([1.0, 0.5])),
        activity_factors=draw(st.dictionaries(st.integers(0, 25), st.sampled_from([1.0, 0.25]))),
    )


@given(timelines())
def test_unchanged_replay_takes_the_measured_time(timeline):
    assert abs(Replay(timeline).error) < 0.01


@given(st.data())
def test_leaving_more_out_never_takes_longer(data):
    timeline = data.draw(timelines())
    one, other = data.draw(changes(timeline)), data.draw(changes(timeline))
    replay = Replay(timeline)
    alone_ns, both_ns = replay.length_ns(one), replay.length_ns(one | other)
    assert both_ns <= alone_ns + 1 <= replay.unchanged_ns + 2
    assert both_ns >= 0


@given(st.data())
def test_speed_up_by_one_changes_nothing(data):
    timeline = data.draw(timelines())
    replay = Replay(timeline)
    assert (
        replay.length_ns(Change(cpu_factor=1.0, activity_factors={activity.activity_id: 1.0 for activity in timeline.activities}))
        == replay.unchanged_ns
    )


@given(st.data())
def test_two_changes_together_have_no_order(data):
    timeline = data.draw(timelines())
    one, other = data.draw(changes(timeline)), data.draw(changes(timeline))
    replay = Replay(timeline)
    assert replay.length_ns(one | other) == replay.length_ns(other | one)


def instants(intervals):
    pairs = zip(intervals.start_ns.tolist(), intervals.end_ns.tolist(), strict=True)
    return {ns for start, end in pairs for ns in range(start, end)}


@given(intervals(100), intervals(100))
def test_covered_time_is_that_of_both(spans, others):
    found = others.within(spans.start_ns, spans.end_ns)
    for start, end, ns in zip(spans.start_ns, spans.end_ns, found, strict=True):
        assert ns == len(instants(others) & set(range(start, end)))


@given(intervals(100), intervals(100))
def test_union_has_the_instants_of_both(one, other):
    both = one | other
    assert instants(both) == instants(one) | instants(other)
    assert both.length_ns == len(instants(both))
    assert (both.start_ns[1:] > both.end_ns[:-1]).all()
