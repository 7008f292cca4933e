"""Where only workers of a pool launch, what the thread that gives them work does tells why they have none."""

import pytest
from synthetic import MAIN, MS, US, Synthetic, thread

from gapfinder.diagnosis.diagnose import diagnose

STEPS, STEP = 12, 20 * MS
WORKER = thread(8)
LIBRARY = "/usr/lib/python3.12"
PACKAGES = "/opt/venv/lib/python3.12/site-packages"
OWN = ("/home/me/serve.py", "main", 90)
IDLE = ((f"{LIBRARY}/concurrent/futures/thread.py", "_worker", 89),)
SLEEPS = (
    (f"{LIBRARY}/selectors.py", "select", 468),
    (f"{LIBRARY}/asyncio/base_events.py", "_run_once", 1995),
    (f"{LIBRARY}/asyncio/base_events.py", "run_forever", 641),
    OWN,
)
TOKENISES = (("/home/me/serve.py", "tokenise", 37), *SLEEPS[1:])
PREPARES = (("/home/me/serve.py", "prepare", 12), OWN)


def pool(sleeps_ms, sleeping, working, *, idle=IDLE, woken_by_a_client=False):
    """A kernel for 5 ms of each step. Then the worker is idle, while the main thread sleeps, and works until the step ends."""
    trace = Synthetic()
    trace.thread(1)
    trace.os("epoll_wait", 0, 30 * US, MAIN)
    for start in range(0, STEPS * STEP, STEP):
        wakes = start + (5 + sleeps_ms) * MS
        trace.kernel(start + 20 * US, start + 5 * MS, (start, start + 10 * US), thread=WORKER)
        trace.os("sem_wait", start + 100 * US, start + STEP - 50 * US, WORKER)
        if sleeps_ms:
            trace.os("epoll_wait", start + 5 * MS, wakes, MAIN)
        if woken_by_a_client:
            trace.os("recv", wakes + 10 * US, wakes + 12 * US, MAIN)
        trace.os("epoll_wait", start + STEP - 40 * US, start + STEP - 10 * US, MAIN)
        for at in range(start + MS // 2, start + STEP, MS):
            trace.sample(at, *idle, thread=WORKER)
            trace.sample(at, *(sleeping if at < wakes else working), thread=MAIN)
    return trace


def lost_ms(trace):
    """What each step loses to each cause, in ms, and on which lines of the main thread."""
    with trace.analysed() as analysis:
        lost = {found.cause: found.lost_ns / STEPS / MS for found in diagnose(analysis).causes}
        lines = {
            line for (line,) in analysis.tuples("SELECT line FROM source_lines WHERE cause IN ('host_compute', 'input_pipeline')")
        }
    return {cause: lost for cause, lost in lost.items() if lost > 1}, lines


@pytest.mark.parametrize(
    ("sleeping", "working", "line"), [(SLEEPS, TOKENISES, 37), (PREPARES, PREPARES, 12)], ids=["event-loop", "main-thread"]
)
def test_work_of_the_thread_that_gives_the_pool_its_work_is_on_its_lines(sleeping, working, line):
    lost, lines = lost_ms(pool(0, sleeping, working))
    assert lost == pytest.approx({"host_compute": 15}, rel=0.1)
    assert lines == {line}


def test_a_wait_is_split_where_the_event_loop_begins_to_work():
    lost, lines = lost_ms(pool(6, SLEEPS, TOKENISES))
    assert lost == pytest.approx({"no_demand": 6, "host_compute": 9}, rel=0.1)
    assert lines == {37}


def test_an_event_loop_that_a_message_wakes_waited_for_that():
    """It may be an answer to what the program asked for, as where other processes tokenise."""
    lost, _ = lost_ms(pool(6, SLEEPS, TOKENISES, woken_by_a_client=True))
    assert lost == pytest.approx({"host_compute": 9, "input_pipeline": 6}, rel=0.1)


def test_an_event_loop_of_anyio_is_no_worker_of_it():
    backend = f"{PACKAGES}/anyio/_backends/_asyncio.py"
    started = ((backend, "run", 175), *SLEEPS[2:])
    lost, lines = lost_ms(pool(6, (*SLEEPS[:2], *started), (TOKENISES[0], SLEEPS[1], *started), idle=((backend, "run", 850),)))
    assert lost == pytest.approx({"no_demand": 6, "host_compute": 9}, rel=0.1)
    assert lines == {37}
