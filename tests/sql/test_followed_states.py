"""A submitter that waits for the other one is explained by what that one does."""

import pytest
from synthetic import MAIN, Trace, thread, tuples

from gapfinder.options import Options, Window

AUTOGRAD = thread(tid=2)
STATES = "SELECT start_ns, end_ns, state, on_global_tid FROM followed_states WHERE global_tid = {} ORDER BY start_ns"


@pytest.fixture
def trace():
    """Both threads launch; the main one has the ranges."""
    trace = Trace()
    trace.nvtx("step", 0, 1000)
    trace.kernel(20, 30, launched=(0, 10))
    trace.kernel(40, 50, launched=(20, 25), thread=AUTOGRAD)
    trace.kernel(980, 990, launched=(960, 970))
    return trace


def states(trace, of):
    with trace.analysed(Options(window=Window(everything=True))) as analysis:
        return tuples(analysis, STATES.format(of))


def test_the_autograd_thread_waits_for_the_main_thread(trace):
    trace.os("pthread_cond_wait", 100, 500, thread=AUTOGRAD)
    trace.os("write", 200, 300)
    trace.call("cudaMalloc_v3020", 350, 400)
    assert states(trace, AUTOGRAD) == [
        (100, 200, "wait", AUTOGRAD),  # nothing is known of the main thread yet
        (200, 300, "io", MAIN),
        (300, 350, "run", MAIN),
        (350, 400, "memory", MAIN),
        (400, 500, "wait", AUTOGRAD),
    ]


def test_the_main_thread_waits_for_the_autograd_thread(trace):
    trace.os("pthread_cond_wait", 100, 500)
    trace.call("cuModuleLoadData", 200, 20_000, thread=AUTOGRAD)
    assert (200, 500, "module", AUTOGRAD) in states(trace, MAIN)


def test_a_wait_of_both_stays_a_wait(trace):
    trace.os("pthread_cond_wait", 100, 500, thread=AUTOGRAD)
    trace.os("poll", 50, 400)
    assert (100, 400, "wait", AUTOGRAD) in states(trace, AUTOGRAD)


def test_a_lock_is_not_followed(trace):
    trace.os("pthread_mutex_lock", 100, 500, thread=AUTOGRAD)
    trace.os("write", 50, 600)
    assert states(trace, AUTOGRAD) == [(100, 500, "lock", AUTOGRAD)]


def test_work_is_not_followed(trace):
    trace.os("read", 100, 500, thread=AUTOGRAD)
    trace.os("write", 50, 600)
    assert states(trace, AUTOGRAD) == [(100, 500, "io", AUTOGRAD)]


def test_threads_of_another_process_are_nobodys_peers(trace):
    other = thread(tid=2, pid=2)
    trace.kernel(60, 70, launched=(55, 58), thread=other)
    trace.os("pthread_cond_wait", 100, 500, thread=other)
    trace.os("write", 50, 600)
    assert states(trace, other) == [(100, 500, "wait", other)]
