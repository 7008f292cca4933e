"""What CUPTI and Nsight Systems say of the time in which something else held a thread up."""

import re

import pytest
from idle_steps import STEP, repeated
from synthetic import MS, US, thread
from variations import one_of_each


def lazily(trace, start, kind=None):
    """The second kernel is launched by a call of 10 ms."""
    trace.kernel(start + 16 * MS, start + 19 * MS, (start + 6 * MS, start + 16 * MS - 10 * US), name="other")
    if kind:
        trace.cupti_overhead(start + 6 * MS + US, start + 16 * MS - 20 * US, kind)


def loads(name, length=10 * MS):
    def step(trace, start):
        trace.overhead(start + 6 * MS, start + 6 * MS + length, name=name)
        trace.kernel(start + 16 * MS + 5 * US, start + 19 * MS, (start + 16 * MS, start + 16 * MS + 5 * US), name="other")

    return step


def compiles(trace, start):
    loads("nothing", length=0)(trace, start)
    trace.tables["CUPTI_ACTIVITY_KIND_JIT"].append(
        {"start": start + 6 * MS, "end": start + 16 * MS, "globalTid": thread(), "nameId": None, "jitOperationType": 1}
    )


def told(trace):
    """The causes of at least 30 % of the lost time, and how they are known."""
    with trace.analysed() as analysis:
        rows = analysis.tuples(
            "SELECT cause, basis, sum(end_ns - start_ns) / sum(sum(end_ns - start_ns)) OVER () FROM window_segments GROUP BY ALL"
        )
    return {cause: basis for cause, basis, share in rows if share >= 0.3}


@pytest.mark.parametrize(
    ("step", "expected"),
    one_of_each(
        lambda _, expected: str(expected),
        [
            (lazily, {"module_loading": "inferred"}),
            (lambda trace, start: lazily(trace, start, "LAZY_FUNCTION_LOADING"), {"module_loading": "seen"}),
            (lambda trace, start: lazily(trace, start, "DRIVER_COMPILER"), {"module_loading": "seen"}),
            (lambda trace, start: lazily(trace, start, "CUPTI_BUFFER_FLUSH"), {"profiler": "seen"}),
            (lambda trace, start: lazily(trace, start, "COMMAND_BUFFER_FULL"), {"host_compute": "seen"}),
            (compiles, {"module_loading": "seen"}),
            (loads("dlopen(libnvidia-ptxjitcompiler.so.1)"), {"module_loading": "seen"}),
            (loads("dlopen(libcudnn_engines_precompiled.so.9)"), {"module_loading": "seen"}),
            (loads("dlopen(libssl.so.3)"), {"profiler": "seen"}),
            (loads("CUPTI Buffer flush"), {"profiler": "seen"}),
        ],
    ),
    ids=["no-word", "lazy", "compiler", "flush", "queue-full", "jit", "ptx", "cudnn", "other-library", "profiler"],
)
def test_what_holds_the_thread_up_is_told(step, expected):
    assert told(repeated(step)) == expected


def test_a_library_that_is_loaded_already_costs_only_the_profiler():
    def step(trace, start):
        for at in range(start + 6 * MS, start + 16 * MS, 100 * US):
            trace.overhead(at, at + 90 * US, name="dlopen(libnvrtc.so.13)")
        loads("nothing", length=0)(trace, start)

    assert "module_loading" not in told(repeated(step))


@pytest.mark.parametrize(
    ("stream", "expected"),
    one_of_each(
        lambda _, expected: str(expected),
        [(7, {"stream_dependency": "seen"}), (None, {"stream_dependency": "seen"}), (8, {"unexplained": None})],
    ),
    ids=["its-stream", "unknown-stream", "other-stream"],
)
def test_a_stream_that_waits_for_a_host_function_is_seen(stream, expected):
    def step(trace, start):
        trace.host_function(start + 5 * MS, start + 15 * MS, stream=stream)
        trace.kernel(start + 15 * MS + 5 * US, start + 19 * MS, (start + 12 * US, start + 15 * US), name="other")

    assert told(repeated(step)) == expected


def test_times_that_cupti_could_not_take_count_nothing():
    def step(trace, start):
        lazily(trace, start)
        trace.cupti_overhead(0, 0, "LAZY_FUNCTION_LOADING")

    assert told(repeated(step)) == {"module_loading": "inferred"}


def test_a_slow_launch_of_a_kernel_that_ran_before_loads_nothing():
    """A thread that shares its core does not get on in a call, either. Another instance of a template has the same short name."""

    def step(trace, start, function):
        trace.kernel(start + 16 * MS, start + 19 * MS, (start + 6 * MS, start + 16 * MS - 10 * US), demangledName=function)

    assert told(repeated(lambda trace, start: step(trace, start, start))) == {"module_loading": "inferred"}
    again = repeated(lambda trace, start: step(trace, start, 7))
    assert told(again) == {"cpu_contention": "inferred"}
    slow = r"Of \d+ kernel launches, \d+ of kernels that ran before took 1 ms or more \(10\.0 ms, median\)"
    assert re.match(slow, again.advice("cpu_contention"))
    again.off_core(0, US)  # where switches were recorded, they tell when it had no core
    assert "cpu_contention" not in told(again)


@pytest.mark.parametrize(("launch_ns", "expected"), [(2 * MS, "cpu_contention"), (10 * US, "host_compute")])
def test_code_that_seldom_takes_as_long_has_no_core_where_launches_take_long_too(launch_ns, expected):
    """Two launches follow each other at once, but in the third step."""

    def step(trace, start):
        first = start + 5500 * US
        second = first + launch_ns + (7 * MS if start == 2 * STEP else 10 * US)
        for begin, name in ((first, "first"), (second, "second")):
            begun = begin + launch_ns
            trace.kernel(begun + US, begun + 9 * US, (begin, begun), name=name, demangledName=7)

    between = 2 * STEP + 10 * MS
    with repeated(step).analysed() as analysis:
        found = analysis.tuples(f"SELECT cause FROM window_segments WHERE start_ns < {between} AND end_ns > {between}")
    assert found == [(expected,)]
