"""Programs that serve: how long a request takes, how busy the server is, and which program is none that serves."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic import MS, US, Synthetic, thread
from traces import FIXTURES, opened
from variations import ANALYSES, some

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.ranking import order_of_fixes
from gapfinder.diagnosis.requests import requests_of, tokens_of
from gapfinder.diagnosis.window import window_of
from gapfinder.diagnosis.words import prediction
from gapfinder.render import renderer

WORKER, LOOP = thread(1), thread(2)
INPUT, KERNELS, EACH = 4 * MS, 20, 200 * US
WORK = INPUT + KERNELS * EACH
HANDLED = 300 * US  # from the read of a request to the start of its work


def work(trace, start):
    """What the worker does for a request: it makes the input, and launches kernels."""
    for number in range(KERNELS):
        at = start + INPUT + number * EACH
        name = "first" if number == 0 else f"gemm_{number % 5}"
        trace.kernel(at + 10 * US, at + EACH - 20 * US, (at, at + 5 * US), name=name, thread=WORKER)
    return start + WORK


def serve(times, reads=1, writes=1, batch=0):
    """A server with an event loop, and one worker that it wakes; the requests, as (read, answered).

    The loop wakes it this long after a request came, so that others may come that are worked on with it.
    """
    trace = Synthetic()
    free = at = min(times) - 20 * MS
    events = []  # of the loop: when, what it calls, and for which request
    for request, asked in enumerate(times):
        start = max(free, asked + HANDLED + batch)
        events += [(asked + HANDLED + batch, "wake", None)] if batch else []
        if start > free:
            trace.os("sem_wait", free, start, WORKER)
        free = work(trace, start) + 20 * US
        trace.os("send", free - 15 * US, free - 5 * US, WORKER)  # wakes the loop
        events += [(asked, "recv", request)] * reads + [(free + 40 * US, "recv", None)]
        events += [(free + 150 * US, "send", request)] * writes
    trace.os("sem_wait", free, free + 20 * MS, WORKER)
    read, answered = {}, {}
    for when, name, request in sorted(events, key=lambda event: event[0]):
        start = max(when, at + 60 * US)  # it does one thing after the other
        if start - at > 100 * US:
            trace.os("epoll_wait", at, start - 30 * US, LOOP)
        at = start + 10 * US
        trace.os("pthread_cond_signal" if name == "wake" else name, start, at, LOOP)
        if request is not None:
            read.setdefault(request, start)
            answered[request] = at
    trace.os("epoll_wait", at, at + 20 * MS, LOOP)
    return trace, [(read[request], answered[request]) for request in read]


def requests_in(opened):
    """The requests of an open trace, whose ledgers add up."""
    rows = opened.id_rows("SELECT * FROM requests")
    lost = opened.id_rows("SELECT request, sum(lost_ns) AS ns FROM request_ledger GROUP BY request ORDER BY request")
    computing = opened.tuples("SELECT start_ns, end_ns FROM activities WHERE kind = 'compute'")
    for row, loss in zip(rows, lost, strict=True):
        inside = (min(end, row["end_ns"]) - max(start, row["start_ns"]) for start, end in computing)
        assert sum(ns for ns in inside if ns > 0) + loss["ns"] == row["end_ns"] - row["start_ns"]
    return rows


def told(trace):
    with trace.analysed() as opened:
        return diagnose(opened), requests_in(opened)


def shares(trace):
    """The share of each cause, and the requests."""
    with trace.analysed() as opened:
        return dict(opened.tuples("SELECT cause, share FROM cause_totals")), requests_in(opened)


def serves_nobody(trace):
    with trace.analysed() as opened:
        return requests_of(opened) is None


def whole(done, rows):
    """Those that were worked on in the window, which begins and ends with activities of the GPU."""
    return [one for one in done if rows[0]["end_ns"] <= one[1] <= rows[-1]["end_ns"]]


def even(apart, times=30):
    return [50 * MS + number * apart for number in range(times)]


@cache
def with_time_to_spare():
    """One request each 20 ms, and 8.6 ms of work: the diagnosis, the requests, and when each came and was answered."""
    trace, done = serve(even(20 * MS))
    return *told(trace), done


def test_a_server_with_time_to_spare():
    """None waits for another."""
    diagnosis, rows, done = with_time_to_spare()
    found = diagnosis.requests
    answered = [(row["arrived_ns"], row["end_ns"]) for row in rows]
    assert answered == whole(done, rows)
    assert len(rows) >= len(done) - 3
    length = done[0][1] - done[0][0]
    assert (found.median_ns, found.queued_ns) == (length, 0)
    assert found.busy_share == pytest.approx(length / (20 * MS), rel=0.05)
    assert found.saturated_per_second == pytest.approx(1e9 / length, rel=0.001)
    assert found.compute_ns + sum(found.causes.values()) == found.busy_ns
    assert diagnosis.verdict == "host_compute"
    assert "for which the server is busy with each request" in diagnosis.headline


def test_a_server_that_waits_for_its_batch_to_fill_has_no_demand_until_then():
    """One request each 20 ms, which the worker gets 3 ms later: a timer of the loop wakes it."""
    trace, _ = serve(even(20 * MS), batch=3 * MS)
    lost, rows = shares(trace)
    assert len(rows) >= 25
    assert lost["no_demand"] == pytest.approx(1 - (WORK + 20 * US) / (20 * MS), abs=0.02)
    assert lost.get("lock_contention", 0) < 0.01
    assert "Launch what is there" not in trace.advice("no_demand")
    held, _ = serve(even(20 * MS), batch=9 * MS)
    assert "requests are there: the program waits for more" in held.advice("no_demand")


def test_a_server_with_hardly_any_load():
    """Nobody asks for 98 % of the time; of the rest the input takes half, and that is what there is to fix."""
    trace, _ = serve(even(500 * MS, 14))
    diagnosis, _ = told(trace)
    assert diagnosis.requests.busy_share < 0.03
    assert diagnosis.verdict == "host_compute"
    assert diagnosis.requests.causes["host_compute"] == pytest.approx(INPUT, rel=0.1)
    assert diagnosis.causes[0].predicted_step_ns is not None


def test_what_is_lost_beside_requests_saves_none_of_their_time():
    """If only half of what a cause costs lies in requests, they save half as much without it."""
    diagnosis, *_ = with_time_to_spare()
    found, cause = diagnosis.requests, diagnosis.causes[0]
    half = replace(found, causes=found.causes | {cause.cause: found.causes[cause.cause] // 2})
    saved, half_saved = (each.busy_ns - each.without(cause, diagnosis.window) for each in (found, half))
    assert saved > 3 * MS
    assert half_saved == pytest.approx(saved / 2, rel=0.05)


def test_a_saturated_server():
    """Requests come faster than they are answered: each waits longer than the one before it."""
    trace, done = serve(even(4 * MS, 40))
    diagnosis, rows = told(trace)
    found = diagnosis.requests
    assert found.busy_share > 0.95
    assert found.saturated_per_second == pytest.approx(1e9 / (WORK + 20 * US), rel=0.03)
    lengths = [end - asked for asked, end in done]
    assert found.p99_ns == pytest.approx(max(lengths), rel=0.05)
    assert found.mean_ns == pytest.approx(sum(lengths) / len(lengths), rel=0.1)
    assert found.queued_ns > 5 * found.busy_ns
    assert all(one["start_ns"] >= other["end_ns"] for other, one in pairwise(rows))


@ANALYSES
@given(st.lists(st.integers(1, 40), min_size=15, max_size=30), st.integers(1, 2), st.integers(1, 3))
def test_any_load(apart, reads, writes):
    """Whatever the load, and of however many pieces: the mean length is right, and each request is answered after it came."""
    times = [50 * MS]
    for between in apart:
        times.append(times[-1] + between * MS + 137 * US)
    trace, done = serve(times, reads, writes)
    diagnosis, rows = told(trace)
    known = whole(done, rows)
    later = [one for one in done if one[0] >= diagnosis.window.start_ns]  # a quiet time before a busy one counts as start-up
    assert len(rows) == len(known) >= len(later) - 3
    assert diagnosis.requests.mean_ns == pytest.approx(sum(end - asked for asked, end in known) / len(known), rel=0.05)
    assert all(row["arrived_ns"] <= row["start_ns"] < row["end_ns"] for row in rows)
    assert all(one["start_ns"] >= other["end_ns"] for other, one in pairwise(rows))


def test_fixes_shorten_the_work_on_a_request_and_not_the_time_between_two():
    diagnosis, *_ = with_time_to_spare()
    found = diagnosis.requests
    order = order_of_fixes(diagnosis)
    assert order.measured_ns == found.busy_ns
    assert order.fixes[0] == ("host_compute", pytest.approx(found.busy_ns - INPUT, rel=0.05))
    assert all(found.compute_ns <= order.floor_ns <= ns for _, ns in order.fixes)
    assert prediction(diagnosis.causes[0], diagnosis).startswith("without it the server is busy with a request for about ")


def test_every_format_speaks_of_requests():
    diagnosis, *_ = with_time_to_spare()
    for name in ("text", "markdown"):
        text = renderer("diagnosis", name).render(diagnosis, width=80, color=False).replace("\\", "")
        assert "The program answered " in text, name
        assert "saturated at" in " ".join(text.split()), name
    assert '"saturated_per_second"' in renderer("diagnosis", "json").render(diagnosis, width=80, color=False)


def test_a_thread_for_each_connection():
    """The main thread accepts; a new thread reads, launches and answers."""
    trace = Synthetic()
    for request in range(20):
        asked, handler = 50 * MS + request * 20 * MS, thread(100 + request)
        trace.os("poll", asked - 11 * MS, asked - 20 * US, LOOP)
        trace.os("accept4", asked - 15 * US, asked + 15 * US, LOOP)
        trace.os("recv", asked + 100 * US, asked + 105 * US, handler)
        for number in range(KERNELS):
            at = asked + INPUT + number * EACH
            trace.kernel(
                at + 10 * US, at + EACH - 20 * US, (at, at + 5 * US), name="first" if not number else "gemm", thread=handler
            )
        trace.os("send", asked + WORK + 50 * US, asked + WORK + 60 * US, handler)
    diagnosis, _ = told(trace)
    assert diagnosis.requests.requests >= 18
    assert diagnosis.requests.median_ns == pytest.approx(WORK + 45 * US, rel=0.01)


def handlers(times, *, writes, alone=False, last=True):
    """Threads that read a request, launch, and answer it with several writes, as in http.server; with (read, answered) of each.

    A thread accepts, and another one handles each connection. If `alone`, three threads handle one request after the other, on
    connections that stay. The trace may end before the `last` answer.
    """
    trace, free, accepted, gpu, done = Synthetic(), {}, min(times) - 20 * MS, 0, []
    for request, asked in enumerate(times):
        handler = thread(100 + request % 3 if alone else 100 + request)
        if alone:
            trace.os("recv", free.get(handler, min(times) - 20 * MS), asked, handler)
        else:
            trace.os("poll", accepted, asked - 20 * US, LOOP)
            trace.os("accept4", asked, asked + 5 * US, LOOP)
            trace.os("recv", asked + 100 * US, asked + 105 * US, handler)
        gpu = max(gpu, asked + INPUT)
        for number in range(KERNELS):
            at, name = gpu + number * EACH, f"gemm_{number % 5}"
            trace.kernel(at + 10 * US, at + EACH - 20 * US, (at, at + 5 * US), name=name, thread=handler)
        accepted, gpu = asked + 10 * US, gpu + KERNELS * EACH
        if last or request < len(times) - 1:
            for write in range(writes):
                at = gpu + 30 * US + write * 20 * US
                trace.os("send", at, at + 10 * US, handler)
            free[handler] = gpu + 20 * US * (writes + 1) + 5 * US
            done.append((asked, gpu + 20 * US * (writes + 1)))
    return trace, done


@pytest.mark.parametrize(("writes", "alone"), some(2, [(3, False), (2, True), (1, False), (1, True), (2, False), (3, True)]))
def test_an_answer_is_all_that_a_thread_writes_before_it_reads_again(writes, alone):
    """Requests overlap, and the trace ends before the last answer: there is no whole number of writes for each read."""
    trace, done = handlers(even(5 * MS), writes=writes, alone=alone, last=False)
    diagnosis, rows = told(trace)
    assert [(row["arrived_ns"], row["end_ns"]) for row in rows] == whole(done, rows)
    assert len(rows) >= len(done) - 3
    assert diagnosis.requests.busy_share > 0.99
    assert diagnosis.requests.per_second == pytest.approx(1e9 / (5 * MS), rel=0.01)
    assert diagnosis.requests.saturated_per_second == pytest.approx(1e9 / (5 * MS), rel=0.01)


def test_each_thread_of_a_server_answers_what_it_reads():
    """Python's http.server writes the headers, then the body; no demand and the time of the requests fill the window."""
    trace = opened(FIXTURES / "threaded_server.sqlite")
    threads = trace.tuples(
        """
        SELECT s.global_tid, min(CASE WHEN s.receives THEN s.start_ns END), max(CASE WHEN s.sends THEN s.end_ns END) AS end_ns
        FROM socket_calls AS s SEMI JOIN launching_threads USING (global_tid) GROUP BY s.global_tid ORDER BY end_ns
        """
    )
    answered = {end_ns: read_ns for _, read_ns, end_ns in threads}
    rows, diagnosis = trace.id_rows("SELECT * FROM requests"), diagnose(trace)
    assert len(rows) == 12
    assert all(0 < answered[row["end_ns"]] - row["arrived_ns"] < 5 * MS for row in rows)  # from its accept to its recv
    (idle,) = (cause.share for cause in diagnosis.causes if cause.cause == "no_demand")
    assert diagnosis.requests.busy_share + idle == pytest.approx(1, abs=0.01)


def test_a_request_that_overtakes_another_one_leaves_the_server_busy():
    """While a request of 30 ms is worked on, one of 10 ms comes and is answered: the server is busy for 30 of 50 ms."""
    trace, done = Synthetic(), []
    for request in range(20):
        asked = (request + 1) * 50 * MS
        for handler, came, length in ((thread(100), asked, 30 * MS), (thread(101), asked + 10 * MS, 10 * MS)):
            trace.os("recv", came - 50 * MS + length + 100 * US, came, handler)
            for number in range(5):
                at = came + length - 6 * MS + number * MS
                trace.kernel(at + 10 * US, at + 800 * US, (at, at + 5 * US), name=f"gemm_{number}", thread=handler)
            trace.os("send", came + length, came + length + 10 * US, handler)
            trace.os("send", came + length + 20 * US, came + length + 40 * US, handler)
            done.append((came, came + length + 40 * US))
    with trace.analysed() as opened:
        rows = opened.id_rows("SELECT * FROM requests")
        diagnosis = diagnose(opened)
    found, window = diagnosis.requests, diagnosis.window
    known = [one for one in done if window.start_ns <= one[0] and one[1] <= window.end_ns]
    assert sorted((row["arrived_ns"], row["end_ns"]) for row in rows if row["arrived_ns"] >= window.start_ns) == sorted(known)
    assert all(row["arrived_ns"] <= row["start_ns"] <= row["end_ns"] for row in rows)
    assert found.busy_share == pytest.approx(30 / 50, abs=0.02)
    assert found.mean_ns == pytest.approx(20 * MS, rel=0.05)
    assert found.mean_ns == pytest.approx(found.queued_ns + found.busy_ns, abs=1)


def grpc(times, *, pieces, wakes=0):
    """A server of gRPC: one thread waits in epoll, threads of a pool receive, and handlers in turn work and send the answer.

    Before, the poller may wake an event loop so many times, by a socket of its own, as with asyncio.
    """
    trace, handler = Synthetic(), [thread(10), thread(11), thread(12)]
    free, polled, lock = [min(times) - 20 * MS] * len(handler), min(times) - 20 * MS, 0
    done = []
    for request, asked in enumerate(times):
        turn = request % len(handler)
        trace.os("epoll_wait", polled, asked - 510 * US, LOOP)
        trace.os("epoll_wait", asked - 200 * US, asked, LOOP)
        for piece in range(pieces):
            at = asked + 70 * US + piece * 60 * US
            trace.os("recvmsg", at, at + 20 * US, thread(3 + request % 5))
        for wake in range(wakes):
            at = asked - 500 * US + wake * 20 * US
            trace.os("write", at, at + 2 * US, LOOP)
            trace.os("recv", at + 12 * US, at + 14 * US, thread(20))
        polled = asked + 300 * US
        start = max(free[turn], asked + HANDLED, lock)
        trace.os("sem_wait", free[turn], start, handler[turn])
        for number in range(KERNELS):
            at = start + INPUT + number * EACH
            trace.kernel(at + 10 * US, at + EACH - 20 * US, (at, at + 5 * US), name=f"gemm_{number % 5}", thread=handler[turn])
        lock = start + WORK
        trace.os("sendmsg", lock + 10 * US, lock + 30 * US, handler[turn])
        free[turn] = lock + 40 * US
        done.append((asked + 70 * US, lock + 30 * US))
    return trace, done


@pytest.mark.parametrize("pieces", [1, 4])
def test_threads_that_receive_for_a_poller(pieces):
    """gRPC: no thread receives what it waited for itself, and a handler sleeps while others answer several requests."""
    trace, done = grpc(even(25 * MS), pieces=pieces)
    lost, rows = shares(trace)
    assert lost["no_demand"] == pytest.approx(1 - WORK / (25 * MS), abs=0.04)
    assert [row["end_ns"] - row["arrived_ns"] for row in rows] == [end - start for start, end in whole(done, rows)]


def test_an_event_loop_that_a_poller_wakes():
    """What it reads then is no request."""
    trace, _ = grpc(even(25 * MS), pieces=2, wakes=12)
    lost, _ = shares(trace)
    assert lost["no_demand"] == pytest.approx(1 - WORK / (25 * MS), abs=0.04)


def behind_a_frontend(times, *, by="itself", waits="read"):
    """A worker that waits for requests, which another process takes and hands over: itself, by another thread, by a manager."""
    trace, front = Synthetic(), thread(200, 200)
    other, asks = (thread(300, 300), "read") if by == "manager" else (thread(201, 200), "poll")
    free = loop = quiet = min(times) - 20 * MS
    done = []
    for asked in times:
        handed = max(asked + 300 * US, loop + 120 * US)
        trace.os("epoll_wait", loop, handed - 300 * US, front)
        trace.os("read", handed - 280 * US, handed - 275 * US, front)
        trace.os("write", handed - 40 * US, handed - 30 * US, front)
        if by != "itself":
            trace.os(asks, quiet, handed - 20 * US, other)
            trace.os("write", handed - 15 * US, handed - 5 * US, other)
        trace.os(waits, free, handed, WORKER)
        trace.os("read", handed + 10 * US, handed + 15 * US, WORKER)
        free = work(trace, handed) + 20 * US
        trace.os("write", free - 15 * US, free - 5 * US, WORKER)
        back = free + 5 * US
        if by != "itself":
            trace.os(asks, handed, back, other)
            trace.os("write", back + 5 * US, back + 10 * US, other)
            back, quiet = back + 30 * US, back + 20 * US
        trace.os("epoll_wait", handed, back, front)
        trace.os("write", back + 100 * US, back + 110 * US, front)
        loop = back + 120 * US
        done.append((handed - 275 * US, back + 110 * US))
    trace.os("read", free, free + 20 * MS, WORKER)
    return trace, done


@pytest.mark.parametrize(("by", "waits"), [("itself", "read"), ("itself", "poll"), ("thread", "read"), ("manager", "read")])
def test_a_worker_behind_a_frontend(by, waits):
    """One request each 50 ms and 8 ms of work: the worker waits for requests, which another process takes."""
    trace, done = behind_a_frontend(even(50 * MS), by=by, waits=waits)
    lost, rows = shares(trace)
    assert lost["no_demand"] > 0.8
    assert lost.get("input_pipeline", 0) < 0.01
    for row, (asked, answered) in zip(rows, whole(done, rows), strict=True):
        assert row["length_ns"] == pytest.approx(answered - asked, abs=0.5 * MS)


def test_a_process_that_only_downloads_is_no_frontend():
    """It reads far more from outside than it sends."""
    trace, loader = Synthetic(), thread(200, 200)
    free = 30 * MS
    for asked in even(50 * MS):
        trace.os("epoll_wait", asked - 41 * MS, asked - 21 * MS, loader)
        for piece in range(1, 20):
            trace.os("epoll_wait", asked - (21 - piece) * MS, asked - (21 - piece) * MS + 900 * US, loader)
            trace.os("read", asked - (20 - piece) * MS - 90 * US, asked - (20 - piece) * MS - 85 * US, loader)
        trace.os("write", asked + 300 * US, asked + 310 * US, loader)
        trace.os("read", free, asked + 320 * US, WORKER)
        free = work(trace, asked + 320 * US)
    with trace.analysed() as opened:
        assert not opened.id_rows("SELECT * FROM frontends")


def test_a_process_that_the_training_asks_for_data_is_no_frontend():
    """It answers nobody else."""
    trace, source = Synthetic(), thread(200, 200)
    answered = 30 * MS
    for asked in even(20 * MS):
        trace.os("write", asked, asked + 5 * US, WORKER)
        trace.os("epoll_wait", answered, asked + 20 * US, source)
        trace.os("recv", asked + 50 * US, asked + 55 * US, source)
        answered = asked + 4 * MS
        trace.os("send", answered - 10 * US, answered, source)
        trace.os("read", asked + 10 * US, answered + 20 * US, WORKER)
        work(trace, answered + 30 * US)
    with trace.analysed() as opened:
        assert opened.id_rows("SELECT * FROM frontends") == opened.id_rows("SELECT * FROM demand_waits") == []


@pytest.mark.parametrize(("times", "serves"), [(1, True), (30, False)])
def test_a_server_that_averages_its_weights_trains_not(times, serves):
    """As it starts, with the kernels of an optimizer; a training has them in each step."""
    trace, _ = serve(even(20 * MS))
    for number in range(times):
        at = 41 * MS + number * 20 * MS
        trace.kernel(at, at + 100 * US, (at - 10 * US, at - 5 * US), name="multi_tensor_apply_kernel", thread=WORKER)
    with trace.analysed() as opened:
        assert bool(opened.tuples("FROM requests")) == serves


def test_who_writes_a_log_sends_nothing():
    """A program beside the training sleeps, and writes to a file shortly before the training has read its own."""
    trace = Synthetic()
    trace.thread(1, pid=2, name="monitor", process="monitor")
    for number in range(20):
        at = 10 * MS + number * 20 * MS
        trace.nvtx("step", at, at + 20 * MS - 1)
        trace.os("read", at, at + 10 * MS)
        trace.os("nanosleep", at + 500 * US, at + 9500 * US, thread(1, 2))
        trace.os("write", at + 9600 * US, at + 9610 * US, thread(1, 2))
        trace.kernel(at + 10020 * US, at + 19900 * US, (at + 10010 * US, at + 10014 * US))
    with trace.analysed() as opened:
        assert opened.tuples("SELECT cause FROM cause_totals ORDER BY lost_ns DESC LIMIT 1") == [("storage_io",)]


def test_a_client_serves_nobody():
    """It connects, and reads what others answer."""
    trace, _ = serve(even(20 * MS))
    trace.os("connect", MS, MS + 50 * US, LOOP)
    assert serves_nobody(trace)


def test_a_training_with_a_heartbeat_serves_nobody():
    """A thread answers somebody now and then, while the loop goes on."""
    trace = Synthetic()
    at = 50 * MS
    for step in range(20):
        work(trace, at + step * WORK)
        beat = at + step * WORK
        trace.os("epoll_wait", beat - WORK + MS, beat, LOOP)
        trace.os("recv", beat + 30 * US, beat + 40 * US, LOOP)
        trace.os("send", beat + 80 * US, beat + 90 * US, LOOP)
    assert serves_nobody(trace)


def test_a_training_that_asked_for_its_peers_serves_nobody():
    """What was asked before the first step is answered in the last one: the launches between are made for no request."""
    trace, at = Synthetic(), 50 * MS
    for step in range(20):
        work(trace, at + step * WORK)
    answered = at + 19 * WORK
    trace.os("epoll_wait", 5 * MS, 20 * MS, LOOP)
    for asked in (20 * MS + 30 * US, 20 * MS + 300 * US):
        trace.os("recv", asked, asked + 10 * US, LOOP)
    for sent in (answered, answered + 350 * US):
        trace.os("send", sent, sent + 10 * US, LOOP)
    trace.os("epoll_wait", answered + MS, answered + 2 * WORK, LOOP)
    assert serves_nobody(trace)


def decode(*, grows=True, back=8, up=0, sequences=1, every=1):
    """A loop that generates tokens: its last kernel reads all tokens of the sequence so far, in `every` step."""
    trace = Synthetic()
    at = 10 * MS
    tokens = 30  # of a sequence
    for token in range(sequences * tokens):
        if up:
            trace.copy(at + 5 * US, at + 15 * US, (at, at + 3 * US), size=up)
        for layer in range(12):
            start = at + 20 * US + layer * 100 * US
            so_far = token % tokens if grows else (token * 7) % 5
            name = "append" if token % every == 0 else "gather"
            trace.kernel(start, start + 40 * US, (start - 10 * US, start - 5 * US), name="gemv")
            trace.kernel(start + 45 * US, start + 55 * US + so_far * 500, (start + 30 * US, start + 35 * US), name=name)
        end = at + 1300 * US
        if back:
            trace.copy(end, end + 5 * US, (end - 10 * US, end + 10 * US), "Device-to-Host", "Pageable", size=back)
        trace.kernel(end + 20 * US, end + 25 * US, (end + 12 * US, end + 15 * US), name="sample")
        at = end + 100 * US
    return trace


@pytest.mark.parametrize("sequences", some(1, [1, 3]))
def test_a_decode_loop_is_spoken_of_per_token(sequences):
    diagnosis, _ = told(decode(sequences=sequences))
    assert diagnosis.window.unit == "token"
    assert (diagnosis.tokens.kernel, diagnosis.tokens.tokens) == ("append", diagnosis.window.steps)
    assert diagnosis.tokens.per_second == pytest.approx(1e9 / diagnosis.window.step_ns)
    assert "token" in diagnosis.headline
    text = renderer("diagnosis", "text").render(diagnosis, width=80, color=False)
    assert "generates one token" in " ".join(text.split())


@pytest.mark.parametrize(
    "trace",
    some(2, [decode(grows=False), decode(back=0), decode(up=1 << 20), decode(back=1 << 20), decode(every=2)]),
    ids=[
        "an iteration that keeps nothing",
        "nothing looks at it",
        "batches from the host",
        "results for the host",
        "only some steps",
    ],
)
def test_a_loop_that_decodes_nothing(trace):
    with trace.analysed() as opened:
        window = window_of(opened)
        assert (window.unit, tokens_of(opened, window)) == ("step", None)


@pytest.mark.parametrize(("kernel", "serves"), [("gemm", True), ("ncclDevKernel_AllReduce_Sum_f32", False)])
def test_ranks_that_ask_each_other_serve_nobody(kernel, serves):
    """What comes to the thread of PyTorch's store follows a message of another thread of a rank."""
    requests = even(20 * MS)
    trace, _ = serve(requests)
    for asked in requests:
        trace.os("write", asked - 300 * US, asked - 290 * US, thread(3))
    trace.kernel(requests[-1] + WORK, requests[-1] + WORK + US, (requests[-1], requests[-1] + US), name=kernel)
    with trace.analysed() as analysis:
        assert bool(analysis.id_rows("SELECT 1 FROM answered_requests LIMIT 1")) == serves


@pytest.mark.parametrize("name", ["python3", "pt_nccl_heartbt", "pt_tcpstore_uv", "pt_elastic"])
def test_threads_of_pytorch_and_nccl_receive_no_requests(name):
    trace = Synthetic()
    trace.kernel(10 * US, 20 * US, (0, US))
    listens = trace.thread(tid=7, name=name)
    trace.os("accept", MS, 9 * MS, listens)
    with trace.analysed() as analysis:
        assert bool(analysis.tuples("SELECT at_ns FROM arrivals")) == (name == "python3")


@pytest.mark.parametrize(("pause", "arrives"), [(US, False), (100 * US, True)])
def test_asking_again_at_once_for_a_connection_accepts_none(pause, arrives):
    """NCCL asks so as it begins; some of these calls take longer."""
    trace = Synthetic()
    trace.kernel(10 * US, 20 * US, (0, US))
    at = MS
    for call in range(50):
        length = 40 * US if call % 20 == 19 else US
        trace.os("accept", at, at + length, LOOP)
        at += length + pause
    with trace.analysed() as analysis:
        assert len(analysis.tuples("SELECT at_ns FROM arrivals")) == (2 if arrives else 0)
