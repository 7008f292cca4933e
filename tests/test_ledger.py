"""The invariant: on each GPU compute and the lost time of all causes are the window, to the nanosecond, whatever the trace."""

import itertools

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from synthetic import MAIN, MS, US, Synthetic, thread

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.errors import TraceError, UsageError
from gapfinder.options import Options, Window

SPAN = 20  # units of time
THREADS = (MAIN, thread(2), thread(1, pid=2))
NCCL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"
CALLS = ("cudaDeviceSynchronize_v3020", "cudaMalloc_v3020", "cuModuleLoadData", "cudaLaunchHostFunc_v10000")
OS_CALLS = ("pthread_cond_wait", "pthread_mutex_lock", "write", "nanosleep", "sem_wait", "ioctl", "pthread_create")
RANGES = ("step", "load_batch", "save_checkpoint", "forward")

spans = st.builds(lambda start, length: (start, start + length), st.integers(0, SPAN), st.integers(0, 12))
# Launched so long before, for so long; or by no call that was traced.
launches = st.none() | st.tuples(st.integers(-2, 12), st.integers(0, 3))
# Ids are drawn from a few, so that some are given twice.
places = st.fixed_dictionaries({
    "thread": st.sampled_from(THREADS),
    "stream": st.sampled_from((7, 8)),
    "gpu": st.sampled_from((0, 0, 0, 1)),
    "correlation": st.none() | st.integers(1, 4),
})  # fmt: skip
activity_kinds = st.sampled_from(("kernel", "kernel", "kernel", "nccl", "graph", "upload", "read back", "memset"))
activities = st.lists(st.tuples(activity_kinds, spans, launches, places), min_size=3, max_size=16)
event_kinds = st.sampled_from(("call", "os", "nvtx", "overhead", "wait"))
events = st.lists(st.tuples(event_kinds, spans, st.sampled_from(THREADS), st.integers(0, 9)), max_size=14)
windows = st.just(Window()) | st.just(Window(everything=True)) | spans.filter(lambda span: span[0] < span[1])


@st.composite
def traces(draw):
    """Something random, once or in a loop, and options for it. The unit decides on which side of the rules' thresholds it is."""
    unit = draw(st.sampled_from((1, US, 100 * US, MS)))
    trace = Synthetic()
    work, around = draw(activities), draw(events)
    for start in range(0, draw(st.sampled_from((1, 1, 5))) * SPAN, SPAN):
        for kind, span, launch, place in work:
            launched = launch and (span[0] - launch[0], span[0] - launch[0] + launch[1])
            add_activity(trace, kind, scaled(span, start, unit), launched and scaled(launched, start, unit), place)
        trace.kernel(*scaled((SPAN, SPAN + 2), start, unit))  # so that there is something to diagnose
        for kind, span, on, number in around:
            add_event(trace, kind, scaled(span, start, unit), on, number)
    window = draw(windows)
    if isinstance(window, tuple):
        window = Window(from_ns=window[0] * unit, to_ns=window[1] * unit)
    return trace, Options(window=window, device=draw(st.sampled_from((None, None, 0))))


def scaled(span, start, unit):
    return tuple((start + at) * unit for at in span)


def add_activity(trace, kind, span, launched, place):
    match kind:
        case "kernel":
            trace.kernel(*span, launched, **place)
        case "nccl":
            trace.kernel(*span, launched, name=NCCL, **place)
        case "graph":
            trace.graph(*span, launched, **place)
        case "upload":
            trace.copy(*span, launched, host="Pageable", **place)
        case "read back":
            trace.copy(*span, launched, direction="Device-to-Host", size=4, **place)
        case "memset":
            trace.memset(*span, launched, **place)


def add_event(trace, kind, span, on, number):
    match kind:
        case "call":
            trace.call(CALLS[number % len(CALLS)], *span, thread=on)
        case "os":
            trace.os(OS_CALLS[number % len(OS_CALLS)], *span, thread=on)
        case "nvtx":
            trace.nvtx(RANGES[number % len(RANGES)], *span, thread=on)
        case "overhead":
            trace.overhead(*span, thread=on)
        case "wait":
            trace.stream_wait(*span, stream=7 + number % 2, thread=on)


def compute_spans(trace, gpu, window):
    """Kernels and graphs of a GPU, cut to the window."""
    names = {row["id"]: row["value"] for row in trace.rows()["StringIds"]}
    rows = trace.tables["CUPTI_ACTIVITY_KIND_KERNEL"] + trace.tables["CUPTI_ACTIVITY_KIND_GRAPH_TRACE"]
    computing = [row for row in rows if row["deviceId"] == gpu and names.get(row.get("shortName")) != NCCL]
    cut = [(max(row["start"], window[0]), min(row["end"], window[1])) for row in computing]
    return [(start, end) for start, end in cut if start < end]


def union_ns(spans):
    """How long any of them lasts: piece by piece between all their ends."""
    cuts = sorted({at for span in spans for at in span})
    return sum(b - a for a, b in itertools.pairwise(cuts) if any(start <= a and b <= end for start, end in spans))


@given(traces())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_compute_and_lost_time_add_up_to_the_window(drawn):
    trace, options = drawn
    try:
        with trace.analysed(options) as analysis:
            (window,) = analysis.tuples('SELECT start_ns, end_ns FROM "window"')
            devices = analysis.tuples("SELECT gpu, window_ns, compute_ns FROM devices")
            lost = analysis.tuples("SELECT gpu, cause, lost_ns FROM ledger")
            segments = analysis.tuples("SELECT gpu, start_ns, end_ns FROM window_segments ORDER BY ALL")
            left_out = analysis.tuples("SELECT activity_id FROM impossible_activities")
            diagnosis = diagnose(analysis)
    except UsageError as refused:
        assume("GPU activity runs in that window" not in str(refused))
        raise
    except TraceError as refused:  # activities of one stream may run side by side here
        assume("contradict other rows" not in str(refused))
        raise
    assert devices
    assert all(cause.predicted_step_ns is None or cause.predicted_step_ns >= 0 for cause in diagnosis.causes)
    for gpu, window_ns, compute_ns in devices:
        computing = compute_spans(trace, gpu, window)
        assert window_ns == window[1] - window[0]
        assert left_out or compute_ns == union_ns(computing)
        assert compute_ns + sum(lost_ns for on, _, lost_ns in lost if on == gpu) == window_ns
        pieces = [(start, end) for on, start, end in segments if on == gpu]
        assert all(window[0] <= start < end <= window[1] for start, end in pieces)
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(pieces))
        assert left_out or not any(start < until and end > since for start, end in pieces for since, until in computing)
    assert {on for on, *_ in lost} <= {gpu for gpu, *_ in devices}
    assert all(lost_ns > 0 for *_, lost_ns in lost)
