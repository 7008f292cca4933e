"""A launching thread that waits for the other one is explained by what that one does."""

import pytest
from synthetic import MAIN, US, Synthetic, thread

from gapfinder.options import Options, Window

ALL = Options(window=Window(everything=True))
AUTOGRAD = thread(tid=2)
OTHER_PROCESS = thread(tid=2, pid=2)


@pytest.fixture
def trace():
    """Both threads launch, and the main one has the ranges; each makes a call of no interest before 100 us and after 500 us."""
    trace = Synthetic()
    trace.nvtx("step", 0, 1000 * US)
    for number, on in enumerate((MAIN, AUTOGRAD, OTHER_PROCESS)):
        trace.kernel(20 * US, 30 * US, launched=(number, 10 * US), thread=on)
        for at in (15, 700):
            trace.call("cudaEventRecord_v3020", at * US, at * US + 5, thread=on)
    return trace


def states(trace, of, start=100, end=500):
    """What explains the gap that a thread ends, between two times, in us."""
    trace.kernel(985 * US, 990 * US, launched=(975 * US, 980 * US), thread=of)
    with trace.analysed(ALL) as analysis:
        query = """
            SELECT start_ns, end_ns, CASE segment_state WHEN 'launch' THEN 'run' ELSE segment_state END, on_global_tid
            FROM late_states
            ORDER BY start_ns
        """
        found = [(begin // US, until // US, *rest) for begin, until, *rest in analysis.tuples(query)]
    return [(max(begin, start), min(until, end), *rest) for begin, until, *rest in found if begin < end and until > start]


def test_the_autograd_thread_waits_for_the_main_thread(trace):
    trace.os("pthread_cond_wait", 100 * US, 500 * US, thread=AUTOGRAD)
    trace.os("write", 200 * US, 300 * US)
    trace.call("cudaMalloc_v3020", 350 * US, 400 * US)
    assert states(trace, AUTOGRAD) == [
        (100, 200, "run", MAIN),
        (200, 300, "io", MAIN),
        (300, 350, "run", MAIN),
        (350, 400, "memory", MAIN),
        (400, 500, "run", MAIN),
    ]


def test_the_main_thread_waits_for_the_autograd_thread(trace):
    trace.os("pthread_cond_wait", 100 * US, 500 * US)
    trace.os("read", 200 * US, 300 * US, thread=AUTOGRAD)
    assert states(trace, MAIN) == [(100, 200, "run", AUTOGRAD), (200, 300, "io", AUTOGRAD), (300, 500, "run", AUTOGRAD)]


def test_wait_for_a_waiting_thread_stays_a_wait(trace):
    trace.os("pthread_cond_wait", 100 * US, 500 * US, thread=AUTOGRAD)
    trace.os("poll", 50 * US, 600 * US)
    assert {state for _, _, state, _ in states(trace, AUTOGRAD)} == {"wait"}


def test_where_both_wait_the_first_thread_of_the_process_explains_it():
    """As JAX does on two GPUs: a thread launches for each of them what the first one hands to it."""
    trace = Synthetic()
    launchers = (AUTOGRAD, thread(tid=3))
    for number, on in enumerate((MAIN, *launchers, *launchers)):
        trace.kernel((20 + number) * US, (21 + number) * US, launched=(number * US, (number + 1) * US), thread=on)
    for on in (MAIN, *launchers):
        for at in (15, 700):
            trace.call("cudaEventRecord_v3020", at * US, at * US + 5, thread=on)
    for on in launchers:
        trace.os("futex", 100 * US, 500 * US, thread=on)
    trace.os("write", 200 * US, 300 * US)
    assert states(trace, AUTOGRAD) == [(100, 200, "run", MAIN), (200, 300, "io", MAIN), (300, 500, "run", MAIN)]


@pytest.mark.parametrize(("call", "state"), [("pthread_mutex_lock", "lock"), ("read", "io"), ("nanosleep", "sleep")])
def test_only_waits_are_followed(trace, call, state):
    trace.os(call, 100 * US, 500 * US, thread=AUTOGRAD)
    trace.os("write", 200 * US, 300 * US)
    assert states(trace, AUTOGRAD) == [(100, 500, state, AUTOGRAD)]


def test_waits_are_not_followed_into_another_process(trace):
    trace.os("pthread_cond_wait", 100 * US, 500 * US, thread=OTHER_PROCESS)
    trace.os("write", 200 * US, 300 * US)
    assert states(trace, OTHER_PROCESS) == [(100, 500, "wait", OTHER_PROCESS)]


def test_last_state_of_a_thread_is_there(trace):
    trace.os("read", 800 * US, 900 * US)
    assert (800, 900, "io", MAIN) in states(trace, MAIN, end=1000)


def test_nothing_is_known_after_the_last_call_of_a_thread(trace):
    """What the awaited thread does later does not matter."""
    trace.os("pthread_cond_wait", 790 * US, 820 * US)
    for at in (850, 900):
        trace.os("read", at * US, at * US + 10, thread=AUTOGRAD)
    assert {on for *_, on in states(trace, MAIN, start=830, end=1000)} <= {MAIN}


def test_short_wait_is_not_followed(trace):
    trace.os("pthread_cond_wait", 100 * US, 115 * US)
    trace.os("read", 100 * US, 500 * US, thread=AUTOGRAD)
    assert states(trace, MAIN) == [(100, 500, "run", MAIN)]


def test_before_a_thread_begins_no_time_is_left_out(trace):
    """It is taken to wait for the one that began before it, but not while that waits for a lock, which another one holds."""
    other, new = thread(tid=3), thread(tid=4)
    trace.kernel(25 * US, 30 * US, launched=(20 * US, 21 * US), thread=other)
    trace.os("write", 50 * US, 51 * US, thread=other)
    trace.os("write", 950 * US, 951 * US, thread=other)
    trace.os("pthread_create", 952 * US, 953 * US)
    trace.os("write", 954 * US, 955 * US, thread=new)
    trace.os("pthread_mutex_lock", 200 * US, 300 * US, thread=other)
    assert states(trace, new) == [(100, 200, "run", other), (200, 300, "run", new), (300, 500, "run", other)]
