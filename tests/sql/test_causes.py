"""Each cause on the smallest trace on which it must be the verdict, and on one that looks alike and has another."""

import pytest
from synthetic import MS, US, Synthetic, thread
from variations import one_of_each

from gapfinder.diagnosis.cause import GPU_BOUND
from gapfinder.diagnosis.ranking import costs_enough
from gapfinder.options import Options
from gapfinder.pipeline.causes import built_in

STEPS, STEP = 8, 10 * MS
NCCL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"
SEND_RECEIVE = "ncclDevKernel_SendRecv"
WATCHER = thread(tid=9)  # launches nothing


def repeated(step):
    """A trace that repeats a step, a function of the trace and a start time that fills the 10 ms from there on."""
    trace = Synthetic()
    for start in range(0, STEPS * STEP, STEP):
        trace.nvtx("step", start, start + STEP - US)
        step(trace, start)
    return trace


def worst(trace, options=None):
    """The cause to which most is lost, if that is enough for a verdict."""
    with trace.analysed(options) as analysis:
        totals = analysis.tuples("SELECT cause, share FROM cause_totals ORDER BY lost_ns DESC, cause LIMIT 1")
        return next((cause for cause, share in totals if costs_enough(analysis.config.causes[cause], share)), GPU_BOUND)


def computes(trace, start, length=5 * MS, **where):
    """A kernel that is launched as the step begins, and runs for half of it."""
    trace.kernel(start + 20 * US, start + length, (start, start + 10 * US), **where)


def copies_back_by_another_thread(wakes):
    """As JAX reads a value: a thread copies it back, and a host function wakes who waits for it, from 60 us to `wakes`."""

    def step(trace, start):
        computes(trace, start)
        trace.os("futex", start + 60 * US, start + wakes)
        copier = {"thread": trace.thread(tid=7, name="py_xla_execute"), "stream": 19}
        made = (start + 5080 * US, start + 5090 * US)
        trace.copy(start + 5100 * US, start + 5102 * US, made, "Device-to-Host", size=4, **copier)
        trace.call("cuLaunchHostFunc", start + 5092 * US, start + 5094 * US, thread=copier["thread"])

    return step


def waits_for_a_lock(trace, start, *inside):
    """In Python, as samples see; an upload of a batch ends the gap."""
    computes(trace, start)
    trace.os("sem_wait", start + 5 * MS, start + 9 * MS)
    for at in range(start + 5 * MS, start + 9 * MS, MS):
        trace.sample(at, *inside, ("/home/a/train.py", "update", 7), ("/home/a/train.py", "<module>", 30))
    trace.copy(start + 9100 * US, start + 9200 * US, (start + 9050 * US, start + 9060 * US), size=8 << 20)


def waits_for_a_thread_that(*calls):
    """It waits on a semaphore, as Future.result() does, for a thread that makes these calls one after the other meanwhile."""

    def step(trace, start):
        computes(trace, start)
        trace.os("sem_wait", start + 5 * MS, start + 9 * MS)
        each = 3600 * US // len(calls)
        for number, name in enumerate(calls):
            at = start + 5100 * US + number * each
            trace.os(name, at, at + each - US, thread=WATCHER)

    return step


def runs_code_that_keeps_others_out(trace, start, ends=STEP):
    """Another thread, which also launches, waits for a lock until the code has ended, or until before."""
    runs_code(trace, start)
    other = thread(tid=7)
    trace.os("pthread_mutex_lock", start + MS, start + ends - 50 * US, thread=other)
    trace.kernel(start + MS, start + 2 * MS, (start + 30 * US, start + 40 * US), thread=other, stream=8)


def runs_code_after_others_were_kept_out(trace, start):
    runs_code_that_keeps_others_out(trace, start, ends=8 * MS)


def waits_for_a_queue(trace, start):
    waits_for_a_lock(
        trace, start, ("/usr/lib/python3.12/threading.py", "wait", 355), ("/usr/lib/python3.12/queue.py", "get", 171)
    )


def computes_all_along(trace, start):
    computes(trace, start, length=STEP - 10 * US)


def loads_batch(trace, start):
    computes(trace, start)
    trace.nvtx("load_batch", start + MS, start + 9 * MS)


def runs_code(trace, start):
    computes(trace, start)
    trace.nvtx("forward", start + MS, start + 9 * MS)


def makes_os_calls(trace, start, *called):
    """Half a step of compute, then these calls: each its name, and from when to when, in us since the step began."""
    computes(trace, start)
    for name, begins_us, ends_us in called:
        trace.os(name, start + begins_us * US, start + ends_us * US)


def runs_a_program(trace, start):
    """It reads what the program prints, and asks how it ended."""
    makes_os_calls(trace, start, ("poll", 5000, 9000), ("read", 9000, 9010), ("waitpid", 9100, 9120))


def reads_what_a_program_prints(trace, start):
    """From the pipe that it makes for it."""
    reads = ("read", 5100, 9000), ("read", 9010, 9050)
    makes_os_calls(trace, start, ("pipe2", 5000, 5010), *reads, ("waitpid", 9100, 9120))


def reads_a_file_and_runs_a_program(trace, start):
    """The program prints nothing that is read."""
    makes_os_calls(trace, start, ("read", 5000, 9000), ("pipe2", 9000, 9010), ("waitpid", 9100, 9120))


def asks_another_program(trace, start):
    """As a training that logs over the network."""
    trace.thread(tid=8, name="pt_autograd_0")
    makes_os_calls(trace, start, ("send", 5000, 5010), ("recv", 5020, 9000))


def sends_before_it_launches(trace, start):
    """What it sent before its last CUDA call asks for nothing."""
    trace.thread(tid=8, name="pt_autograd_0")
    makes_os_calls(trace, start, ("send", -20, -10), ("recv", 5000, 9000))


def polls_for_something_else(trace, start):
    makes_os_calls(trace, start, ("poll", 5000, 9400))


def waits_in_an_event_loop(trace, start):
    """For a timer of 4 ms."""
    makes_os_calls(trace, start, ("epoll_wait", 5000, 9110))


def writes_now_and_then(trace, start):
    """Code that writes what it makes: a brief write every 0.4 ms."""
    computes(trace, start)
    for at in range(start + 5 * MS, start + 9 * MS, 400 * US):
        trace.os("write", at, at + 10 * US)


def loads_batch_ahead(trace, start):
    computes_all_along(trace, start)
    trace.nvtx("load_batch", start + MS, start + 9 * MS)


def waits_for_loader(trace, start):
    computes(trace, start)
    trace.thread(tid=5, pid=2, name="pt_data_worker")
    trace.thread(tid=6, name="pt_data_pin")
    trace.os("poll", start + 5 * MS, start + 9990 * US)


def uploads_a_batch(trace, start, times=1):
    """Code on the training thread, then the upload that it made: so many times in the second half of a step."""
    computes(trace, start, length=MS)
    for number in range(times):
        ready = start + MS + (number + 1) * 8 * MS // times
        trace.copy(ready, ready + 20 * US, (ready - 10 * US, ready - 5 * US))


def streams_weights(trace, start):
    """As many uploads as layers."""
    uploads_a_batch(trace, start, times=6)


def downloads(size):
    """A step whose code comes after so many bytes from the GPU, and before an upload."""

    def step(trace, start):
        uploads_a_batch(trace, start)
        trace.copy(start + MS, start + MS + 20 * US, (start + MS - 10 * US, start + MS - 5 * US), "Device-to-Host", size=size)

    return step


def works_on_what_came_back(size):
    """The thread waits for so many bytes from the GPU. Its code then ends with an upload, as an optimizer on the CPU does."""

    def step(trace, start):
        computes(trace, start)
        returned = {"direction": "Device-to-Host", "host": "Pageable", "size": size}
        trace.copy(start + 5 * MS, start + 5100 * US, (start + 50 * US, start + 5110 * US), **returned)
        trace.copy(start + 9 * MS, start + 9200 * US, (start + 8950 * US, start + 8960 * US), size=8 << 20)

    return step


def waits_for_a_request(trace, start, handed_on=50 * US, pieces=1):
    """Another thread waits for a socket, and wakes this one so long after the request has come."""
    computes(trace, start, length=MS)
    woken = start + STEP - 10 * US
    trace.os("sem_wait", start + MS, woken)
    for piece in range(pieces):
        came = woken - handed_on - (pieces - 1 - piece) * 100 * US
        trace.os("epoll_wait", came - 70 * US, came - 20 * US, thread=WATCHER)
        trace.os("recv", came, came + US, thread=WATCHER)


def waits_for_a_request_to_be_read(trace, start):
    """It is worked on for 4 ms before the thread goes on: that is no waiting for demand."""
    waits_for_a_request(trace, start, handed_on=4 * MS)


def waits_for_a_request_to_train(trace, start):
    """What comes to a program that trains is its input."""
    trace.thread(tid=8, name="pt_autograd_0")
    waits_for_a_request(trace, start)


def waits_for_a_download(trace, start):
    waits_for_a_request(trace, start, pieces=20)


def waits_for_a_request_beside_workers(trace, start):
    trace.thread(tid=6, name="pt_data_pin")
    waits_for_a_request(trace, start)


def has_no_core(trace, start):
    """Twice in each step."""
    computes(trace, start, length=MS)
    for at in (start + 2 * MS, start + 6 * MS):
        trace.off_core(at, at + 3 * MS)


def leaves_its_core_to(name):
    """Once in each step, to a thread of the program."""

    def step(trace, start):
        computes(trace, start, length=7 * MS)
        trace.off_core(start + 7 * MS, start + 10 * MS - US)
        trace.on_core(start + 7 * MS + US, start + 10 * MS - 2 * US, trace.thread(tid=7, name=name))

    return step


def waits_unseen(trace, start):
    """As a thread of XLA, outside of the C library: it is without a core for a quarter of the time, and nobody else has it."""
    computes(trace, start, length=6 * MS)
    trace.off_core(start + 7 * MS, start + 9500 * US)


def wakes_a_thread(trace, start):
    """That one goes on 4 ms later."""
    computes(trace, start)
    trace.os("pthread_cond_wait", start + MS, start + 9 * MS, thread=WATCHER)
    trace.os("pthread_cond_signal", start + 5 * MS - 10 * US, start + 5 * MS)
    trace.os("pthread_cond_wait", start + 5 * MS, start + 9 * MS + 50 * US)


def wakes_a_thread_with_another(trace, start):
    """Which of the two the thread waited for is unknown."""
    wakes_a_thread(trace, start)
    trace.os("pthread_cond_signal", start + 8 * MS, start + 8 * MS + 10 * US, thread=thread(tid=8))


def waits_without_core(trace, start):
    """A thread that waits for another one needs no core."""
    computes(trace, start, length=MS)
    trace.os("pthread_cond_wait", start + 2 * MS, start + 9 * MS)
    trace.off_core(start + 2 * MS + US, start + 9 * MS - US)


def is_sampled(trace, start):
    """The sampler stops a thread for some us."""
    computes(trace, start, length=MS)
    for at in range(start + MS, start + 9 * MS, MS):
        trace.off_core(at, at + 9 * US)


def synchronizes(trace, start):
    computes(trace, start)
    trace.call("cudaDeviceSynchronize_v3020", start + 50 * US, start + 5 * MS + 20 * US)


def synchronizes_one_of_two_streams(trace, start):
    computes_all_along(trace, start)
    trace.kernel(start + 40 * US, start + 2 * MS, (start + 20 * US, start + 30 * US), stream=8)
    trace.call("cudaStreamSynchronize_v3020", start + 50 * US, start + 2 * MS + 20 * US)


def reads_items(trace, start):
    """Kernels of 50 us, and a copy of 4 bytes after each that is waited for."""
    for at in range(start, start + STEP - 100 * US, 100 * US):
        trace.kernel(at + 10 * US, at + 60 * US, (at, at + 5 * US))
        trace.copy(at + 62 * US, at + 63 * US, (at + 6 * US, at + 9 * US), direction="Device-to-Host", size=4)
        trace.call("cudaStreamSynchronize_v3020", at + 9200, at + 80 * US)


def launches_small_kernels(trace, start):
    for at in range(start, start + STEP - 50 * US, 50 * US):
        trace.kernel(at + 10 * US, at + 15 * US, (at, at + 5 * US))


def launches_one_graph(trace, start):
    trace.graph(start + 20 * US, start + STEP - 10 * US, (start, start + 10 * US))


def calls(name, kind="call", **where):
    """Half a step of compute, then this call: of CUDA, or of the kind "os"."""

    def step(trace, start):
        computes(trace, start)
        getattr(trace, kind)(name, start + 5 * MS, start + 9900 * US, **where)

    return step


def calls_in_time(name, **where):
    """The same call while the GPU computes."""

    def step(trace, start):
        computes_all_along(trace, start)
        trace.call(name, start + MS, start + 5 * MS, **where)

    return step


def flushes(trace, start):
    computes(trace, start)
    trace.overhead(start + 5 * MS, start + 9 * MS)


def flushes_in_time(trace, start):
    computes_all_along(trace, start)
    trace.overhead(start + 5 * MS, start + 9 * MS)


def looks_modules_up(trace, start):
    computes_all_along(trace, start)
    for at in range(start + MS, start + 5 * MS, 100 * US):
        trace.call("cuModuleGetFunction", at, at + 200)


def copies(trace, start):
    computes(trace, start)
    trace.copy(start + 5 * MS, start + 10 * MS, (start + 20 * US, start + 30 * US))


def copies_on_a_side_stream(trace, start):
    computes_all_along(trace, start)
    trace.copy(start + 2 * MS, start + 7 * MS, (start + 20 * US, start + 30 * US), stream=8)


def uploads_labels_and_a_batch(trace, start):
    """The labels come first."""
    computes(trace, start)
    trace.copy(start + 9000 * US, start + 9002 * US, (start + 8900 * US, start + 8910 * US), size=384)
    trace.copy(start + 9100 * US, start + 9200 * US, (start + 9050 * US, start + 9060 * US), size=8 << 20)


def uploads_a_scalar(trace, start):
    """And computes with it."""
    computes(trace, start)
    trace.copy(start + 9000 * US, start + 9002 * US, (start + 8900 * US, start + 8910 * US), size=384)
    trace.kernel(start + 9010 * US, start + 9020 * US, (start + 8950 * US, start + 8955 * US))
    trace.copy(start + 9100 * US, start + 9200 * US, (start + 9050 * US, start + 9060 * US), size=8 << 20)


def uploads_from_pageable_memory(trace, start):
    """The driver stages the copy: the call lasts long before the copy runs."""
    computes(trace, start)
    trace.copy(start + 9 * MS, start + 9990 * US, (start + 5 * MS, start + 9990 * US), host="Pageable")


def touches_managed_memory(trace, start):
    """The CPU touches page after page, each of which comes 35 us later."""
    computes(trace, start)
    for at in range(start + 5 * MS + 40 * US, start + 9900 * US, 40 * US):
        trace.migration(at, at + 2 * US)


def waits_for_prefetched_pages(trace, start):
    """A kernel was launched in time, and waits until the pages that were asked for have come."""
    computes(trace, start)
    trace.migration(start + 7 * MS, start + 9 * MS, "Unified Host-to-Device", cause="prefetch", size=1 << 20)
    trace.kernel(start + 9010 * US, start + 9990 * US, (start + 20 * US, start + 30 * US))


def works_on_pages_that_came(trace, start):
    """The CPU works for long on each page that it touches."""
    computes(trace, start)
    for at in range(start + 6 * MS, start + 9900 * US, 500 * US):
        trace.migration(at, at + 2 * US)


def waits_for_what_it_touches(trace, start):
    works_on_pages_that_came(trace, start)
    trace.call("cudaDeviceSynchronize_v3020", start + 50 * US, start + 5 * MS)


def faults_while_computing(trace, start):
    computes_all_along(trace, start)
    for at in range(start + MS, start + 9 * MS, 40 * US):
        trace.migration(at, at + 2 * US)


def communicates(trace, start):
    computes(trace, start)
    trace.kernel(start + 5 * MS, start + 10 * MS, (start + 20 * US, start + 30 * US), name=NCCL, stream=20)


def waits_for_gloo(trace, start, begins=5 * MS):
    """For a collective that another thread carries out on the CPU, which waits for work before and after."""
    computes(trace, start)
    trace.os("pthread_cond_wait", start + 5 * MS, start + 9900 * US)
    gloo = trace.thread(tid=7, name="pt_gloo_runloop")
    trace.os("pthread_cond_wait", start, start + begins, thread=gloo)
    trace.os("pthread_cond_wait", start + 9800 * US, start + STEP - US, thread=gloo)


def waits_long_before_gloo(trace, start):
    waits_for_gloo(trace, start, begins=9 * MS)


def copies_for_gloo(trace, start):
    """The thread that carries the collective out takes the tensor to the CPU, and brings it back."""
    gloo = trace.thread(tid=7, name="pt_gloo_runloop")
    computes(trace, start)
    trace.os("pthread_cond_wait", start, start + 5 * MS, thread=gloo)
    for at in (start + 5 * MS + 50 * US, start + 9 * MS):
        trace.copy(at + 20 * US, at + 50 * US, (at, at + 5 * US), thread=gloo, stream=8)
    for at in range(start + 5200 * US, start + 8900 * US, 500 * US):
        trace.os("writev", at, at + 300 * US, thread=gloo)
    trace.os("pthread_cond_wait", start + 9100 * US, start + STEP - US, thread=gloo)


def sends_with_gloo(named="pt_gloo_runloop", mover="python3", until=9900 * US, often=200 * US):
    """While a thread without a name of its own moves the data, the one that asked for it waits in a call that is not recorded."""

    def repeat(trace, start):
        computes(trace, start)
        trace.thread(tid=1)
        trace.thread(tid=7, name=named)
        moves = trace.thread(tid=8, name=mover)
        trace.os("epoll_wait", start, start + 5 * MS, thread=moves)
        trace.os("writev", start + 5 * MS, start + 6 * MS)
        for at in range(start + 5 * MS, start + until, often):
            trace.os("writev", at, at + 50 * US, thread=moves)
            trace.os("recv", at + 60 * US, at + 100 * US, thread=moves)

    return repeat


def works_while_gloo_sends(trace, start):
    """On a core, as context switches show."""
    sends_with_gloo()(trace, start)
    trace.on_core(start, start + STEP - 10 * US)


def communicates_meanwhile(trace, start):
    computes_all_along(trace, start)
    trace.kernel(start + 2 * MS, start + 7 * MS, (start + 20 * US, start + 30 * US), name=NCCL, stream=20)


def ranks(*arrivals_ms, name=NCCL):
    """Ranks that compute until they come to a collective, which ends when all have come."""

    def step(trace, start):
        for gpu, arrival in enumerate(arrivals_ms):
            on = {"gpu": gpu, "thread": thread(pid=gpu + 1)}
            computes(trace, start, length=int(arrival * MS), **on)
            trace.kernel(start + int(arrival * MS), start + STEP, (start + 20 * US, start + 30 * US), name=name, stream=20, **on)

    return step


def takes_turns_with_another_rank(trace, start):
    """Each rank computes for half of the step, and then sends to the other, which waits for it."""
    for gpu, parts in enumerate([[(0.02, 1, ""), (1, 6, SEND_RECEIVE), (6, 9.9, ""), (9.9, 10, SEND_RECEIVE)],
                                 [(0.02, 5.9, ""), (5.9, 6, SEND_RECEIVE), (6, 10, SEND_RECEIVE)]]):  # fmt: skip
        for begins, ends, name in parts:
            on = {"gpu": gpu, "thread": thread(pid=gpu + 1), "stream": 20 if name else 7, "name": name or "gemm"}
            trace.kernel(start + int(begins * MS), start + int(ends * MS), (start, start + 10 * US), **on)


def takes_turns_on_two_gpus(trace, start):
    """Each GPU computes while the other waits for it; the CPU is ahead."""
    launched = max(0, start - 4 * MS)
    trace.kernel(start + 20 * US, start + 5 * MS, (launched, launched + 10 * US))
    trace.stream_wait(start + 30 * US, start + 31 * US, stream=8)
    trace.kernel(start + 5 * MS, start + 9990 * US, (start + 40 * US, start + 50 * US), stream=8, gpu=1)


def runs_code_while_another_gpu_computes(trace, start):
    runs_code(trace, start)
    computes(trace, start, length=STEP - 10 * US, stream=8, gpu=1)


def splits_a_batch_unevenly(trace, start):
    """Both GPUs compute at once, one for half of the time: it waits for no turn."""
    for number in range(19):
        at = start + number * 500 * US
        trace.kernel(at + 10 * US, at + 500 * US, (at, at + 4 * US))
        if number < 10:
            trace.kernel(at + 20 * US, at + 500 * US, (at + 5 * US, at + 9 * US), gpu=1)


def compiles(name, *, loads=True):
    """The launching thread waits in a range of that name, and then loads what others compiled."""

    def step(trace, start):
        computes(trace, start)
        trace.nvtx(name, start + 5 * MS, start + 9 * MS)
        trace.os("pthread_cond_wait", start + 5 * MS, start + 9 * MS)
        if loads:
            trace.call("cuModuleLoadData", start + 9100 * US, start + 9200 * US)

    return step


def queues(trace, start, wait=None):
    """Two kernels that are launched at once, with 4 ms between them."""
    computes(trace, start)
    if wait:
        wait(trace, start + 15 * US)
    trace.kernel(start + 9 * MS, start + 10 * MS, (start + 20 * US, start + 30 * US), stream=8)


def waits_for_an_event(trace, start):
    queues(trace, start, lambda trace, at: trace.stream_wait(at, at + US, stream=8))


def waits_for_a_host_function(trace, start):
    queues(trace, start, lambda trace, at: trace.call("cudaLaunchHostFunc_v10000", at, at + US))


def waited_for_a_host_function_before(trace, start):
    """It was called before the stream was told to do other work, and that has begun."""
    if start == 0:
        trace.call("cudaLaunchHostFunc_v10000", 15 * US, 16 * US)
    queues(trace, start)


def synchronizes_after_the_end(call):
    """The synchronize call after another one goes on for 9 ms after the kernel has ended."""

    def step(trace, start):
        trace.kernel(start + 10 * US, start + 5 * MS, (start, start + 5 * US))
        trace.call(call, start + 20 * US, start + 25 * US)
        trace.call("cudaStreamSynchronize_v3020", start + 30 * US, start + 14 * MS)

    return step


def waits_for_each_kernel(trace, start):
    """As with CUDA_LAUNCH_BLOCKING=1: a launch returns when its kernel has ended."""
    for at in range(start, start + STEP - 100 * US, 100 * US):
        trace.kernel(at + 10 * US, at + 40 * US, (at, at + 60 * US))


def asks_until_it_is_done(trace, start):
    """As some programs of C++ do, which launch the next kernel when an event says that the last one has ended."""
    for at in range(start, start + STEP - 100 * US, 100 * US):
        trace.kernel(at + 10 * US, at + 40 * US, (at, at + 5 * US))
        for asked in range(at + 6 * US, at + 60 * US, 2 * US):
            trace.call("cudaEventQuery_v3020", asked, asked + US, returned=600)
        trace.call("cudaEventQuery_v3020", at + 60 * US, at + 61 * US)


def waits_for_an_event_on_another_stream(trace, start):
    queues(trace, start, lambda trace, at: trace.stream_wait(at, at + US, stream=9))


def takes_turns(context):
    """Two kernels that are launched at once, with 4 ms between them, of which a context has the GPU for most."""

    def step(trace, start):
        queues(trace, start)
        trace.gpu_turn(start, start + 5 * MS + 100 * US)
        trace.gpu_turn(start + 5 * MS + 300 * US, start + 8 * MS, context=context, pid=context)
        trace.gpu_turn(start + 8 * MS + 500 * US, start + 10 * MS)

    return step


def is_interrupted(context):
    """A kernel of 10 ms, in the middle of which a context has the GPU for 4 ms."""

    def step(trace, start):
        trace.kernel(start + 100 * US, start + 10 * MS, (start, start + 10 * US))
        trace.gpu_turn(start, start + 3 * MS)
        trace.gpu_turn(start + 3 * MS + 200 * US, start + 7 * MS, context=context, pid=context)
        trace.gpu_turn(start + 7 * MS + 200 * US, start + 10 * MS)

    return step


def queues_small_kernels(gap):
    """400 kernels of about 20 us, all launched as the step begins."""

    def step(trace, start):
        for number in range(400):
            at = start + number * 25 * US
            trace.kernel(at + gap, at + 25 * US, (start + number * 20, start + number * 20 + 10))

    return step


# cause: steps of which it is the verdict, and those of which another is
CASES = {
    "cpu_contention": (
        [
            has_no_core,
            leaves_its_core_to("pt_data_worker"),
            wakes_a_thread,
            synchronizes_after_the_end("cudaStreamQuery_v3020"),
        ],
        [
            (synchronizes_after_the_end("cudaLaunchHostFunc_v10000"), "host_sync"),
            (synchronizes_after_the_end("cudaLaunchKernel_v7000"), "host_sync"),
            (wakes_a_thread_with_another, "unexplained"),
            (waits_without_core, "unexplained"),
            (is_sampled, "host_compute"),
            (waits_unseen, "host_compute"),
            (leaves_its_core_to("NSys PySampling"), "profiler"),
            (leaves_its_core_to("[NSys]"), "profiler"),
            (leaves_its_core_to("CUPTI worker thread"), "profiler"),
        ],
    ),
    "no_demand": (
        [waits_for_a_request],
        [
            (waits_for_a_request_to_be_read, "lock_contention"),
            (waits_for_a_download, "lock_contention"),
            (waits_for_a_request_beside_workers, "input_pipeline"),
            (waits_for_a_request_to_train, "lock_contention"),
        ],
    ),
    "input_pipeline": (
        [loads_batch, waits_for_loader, uploads_a_batch, uploads_labels_and_a_batch, downloads(4)],
        [
            (uploads_a_scalar, "host_compute"),
            (runs_code, "host_compute"),
            (loads_batch_ahead, "gpu_bound"),
            (streams_weights, "host_compute"),
            (downloads(8192), "host_compute"),
        ],
    ),
    "host_sync": (
        [synchronizes, reads_items, waits_for_each_kernel, asks_until_it_is_done, copies_back_by_another_thread(5200 * US)],
        [
            (copies_back_by_another_thread(9 * MS), "host_compute"),
            (synchronizes_one_of_two_streams, "gpu_bound"),
            (waits_for_what_it_touches, "host_compute"),
        ],
    ),
    "launch_bound": ([launches_small_kernels], [(launches_one_graph, "gpu_bound")]),
    "host_compute": (
        [
            runs_code,
            runs_a_program,
            reads_what_a_program_prints,
            asks_another_program,
            writes_now_and_then,
            waits_in_an_event_loop,
            calls("clock_nanosleep", kind="os"),
            works_on_what_came_back(8 << 20),
        ],
        [
            (works_on_what_came_back(4), "host_sync"),
            (polls_for_something_else, "unexplained"),
            (sends_before_it_launches, "unexplained"),
            (reads_a_file_and_runs_a_program, "storage_io"),
            (calls("pthread_mutex_lock", kind="os"), "lock_contention"),
        ],
    ),
    "lock_contention": (
        [
            calls("pthread_cond_timedwait", kind="os"),
            calls("flock", kind="os"),
            waits_for_a_lock,
            runs_code_that_keeps_others_out,
        ],
        [
            (runs_code_after_others_were_kept_out, "host_compute"),
            (waits_for_a_queue, "input_pipeline"),
            (calls("pthread_mutex_lock", kind="os", thread=WATCHER), "host_compute"),
        ],
    ),
    "storage_io": (
        [
            calls("write", kind="os"),
            waits_for_a_thread_that("write", "fsync"),
            waits_for_a_thread_that("open64", *["write"] * 9),
        ],
        [
            (calls("write", kind="os", thread=WATCHER), "host_compute"),
            (waits_for_a_thread_that("write", "write"), "lock_contention"),  # to a pipe, perhaps
            (waits_for_a_thread_that("open64", *["read"] * 9), "lock_contention"),
            (waits_for_a_thread_that("write", "sem_wait", "sem_wait", "fsync", "sem_wait"), "lock_contention"),
        ],
    ),
    "memory_management": (
        [calls("cudaMalloc_v3020"), calls("cudaHostAlloc_v3020"), synchronizes_after_the_end("cudaFreeAsync_v11020")],
        [
            (calls_in_time("cudaMalloc_v3020"), "gpu_bound"),
        ],
    ),
    "module_loading": (
        [
            calls("cuLibraryLoadData"),
            compiles("compile_kernel"),
            compiles("XlaCompile:#module=jit_f#", loads=False),
            compiles("XlaPass:#module=jit_f#", loads=False),
        ],
        [
            (compiles("compile_kernel", loads=False), "unexplained"),
            (compiles("Torch-Compiled Region: 0/0", loads=False), "unexplained"),
            (looks_modules_up, "gpu_bound"),
            (calls_in_time("cuModuleLoadData"), "gpu_bound"),
        ],
    ),
    "copy": ([copies, uploads_from_pageable_memory], [(copies_on_a_side_stream, "gpu_bound")]),
    "page_migration": (
        [touches_managed_memory, waits_for_prefetched_pages, calls("cudaMemPrefetchAsync_v12020")],
        [(works_on_pages_that_came, "host_compute"), (faults_while_computing, "gpu_bound")],
    ),
    "gpu_contention": (
        [takes_turns(context=7), is_interrupted(context=7)],
        [(takes_turns(context=1), "unexplained"), (is_interrupted(context=1), "gpu_bound")],
    ),
    "communication": (
        [communicates, waits_for_gloo, copies_for_gloo, sends_with_gloo()],
        [
            (communicates_meanwhile, "gpu_bound"),
            (waits_long_before_gloo, "unexplained"),
            (sends_with_gloo(named="pt_elastic"), "host_compute"),
            (sends_with_gloo(mover="wandb-svc"), "host_compute"),
            (sends_with_gloo(until=7 * MS), "host_compute"),
            (sends_with_gloo(often=3 * MS), "host_compute"),
            (works_while_gloo_sends, "host_compute"),
        ],
    ),
    "rank_imbalance": ([ranks(3, 9), ranks(3, 9.9, name=SEND_RECEIVE)], [(ranks(5, 5), "communication")]),
    "pipeline_bubble": (
        [takes_turns_with_another_rank, takes_turns_on_two_gpus],
        [
            (ranks(5, 5, name=SEND_RECEIVE), "communication"),
            (runs_code_while_another_gpu_computes, "host_compute"),
            (splits_a_batch_unevenly, "host_compute"),
        ],
    ),
    "stream_dependency": (
        [waits_for_an_event, waits_for_a_host_function],
        [
            (waits_for_an_event_on_another_stream, "unexplained"),
            (waited_for_a_host_function_before, "unexplained"),
            (queues, "unexplained"),
        ],
    ),
    "queue_latency": ([queues_small_kernels(5 * US)], [(queues_small_kernels(500), "gpu_bound")]),
    "profiler": ([flushes], [(flushes_in_time, "gpu_bound")]),
}


def test_each_cause_that_explains_segments_has_its_cases():
    assert set(CASES) == {name for name, cause in built_in().items() if cause.states or cause.has("rules")}


@pytest.mark.parametrize(
    ("cause", "step"),
    one_of_each(lambda cause, _: cause, [(cause, step) for cause, (steps, _) in CASES.items() for step in steps]),
)
def test_cause_is_the_verdict(cause, step):
    assert worst(repeated(step)) == cause


@pytest.mark.parametrize(
    ("step", "instead"), one_of_each(lambda _, instead: instead, [case for _, cases in CASES.values() for case in cases])
)
def test_similar_trace_has_another_verdict(step, instead):
    assert worst(repeated(step)) == instead


RULES = sorted(name for name, cause in built_in().items() if cause.has("rules"))


@pytest.fixture(scope="module")
def computing():
    """A trace of which nothing is lost."""
    trace = Synthetic()
    trace.kernel(0, MS, launched=(0, 1))
    with trace.analysed() as analysis:
        yield analysis


@pytest.mark.parametrize("cause", RULES)
def test_rules_of_all_causes_have_the_same_columns(computing, cause):
    described = computing.tuples(f"DESCRIBE SELECT * FROM rules_{cause}")
    assert [column for column, *_ in described] == ["segment_id", "priority", "basis"]


@pytest.mark.parametrize("cause", RULES)
def test_cause_explains_nothing_where_nothing_is_lost(computing, cause):
    assert computing.tuples(f"SELECT * FROM rules_{cause}") == []


def test_a_gpu_that_is_looked_at_alone_waits_for_its_turn_too():
    assert worst(repeated(takes_turns_on_two_gpus), Options(device=1)) == "pipeline_bubble"


def test_a_stream_of_another_gpu_has_the_same_number():
    """What is launched there meanwhile does not end the wait of this one."""

    def step(trace, start):
        waits_for_an_event(trace, start)
        trace.kernel(start + 60 * US, start + 9 * MS, (start + 35 * US, start + 38 * US), gpu=1)

    assert worst(repeated(step), Options(device=0)) == "stream_dependency"


def test_advice_on_copies_is_on_those_that_are_lost_to_copies():
    """And not on pages that migrate, which belong to another cause."""

    def step(trace, start):
        trace.copy(start + 20 * US, start + MS, (start, start + 5 * US), host="Pageable", size=8 << 20)
        trace.kernel(start + 1010 * US, start + 5 * MS, (start + 10 * US, start + 14 * US))
        trace.migration(start + 5100 * US, start + 8 * MS, "Unified Host-to-Device", size=2 << 20)
        trace.kernel(start + 8001 * US, start + 9900 * US, (start + 15 * US, start + 19 * US))

    with repeated(step).analysed() as analysis:
        assert "from pageable memory is slow" in analysis.tuples("SELECT fix FROM fix_copy")[0][0]


@pytest.mark.parametrize(("step", "depends"), [(uploads_a_batch, True), (loads_batch, False)])
def test_what_may_be_no_batch_may_depend_on_the_step_before(step, depends):
    """As the code of a search does. A range that is named after loading says what it does."""
    with repeated(step).analysed() as analysis:
        ((advice,),) = analysis.tuples("SELECT fix FROM fix_input_pipeline")
        assert ("as a search or a simulation does" in advice) == depends


def test_a_program_without_steps_has_no_batches():
    """It fills buffers on the CPU and uploads them, twice."""
    trace = Synthetic()
    for start in (0, 30 * MS):
        uploads_a_batch(trace, start)
    assert worst(trace) == "host_compute"


@pytest.mark.parametrize(("every", "cause"), [(5, "input_pipeline"), (20, "host_compute")])
def test_a_batch_comes_more_often_than_once_in_ten_steps(every, cause):
    """A benchmark fills its memory once for each size."""
    trace, at = Synthetic(), MS
    for step in range(40):
        begun = at
        if step % every == 0:
            at += 50 * MS
            trace.copy(at, at + 100 * US, (at - 10 * US, at - 5 * US), size=1 << 20)
            at += 100 * US
        computes(trace, at)
        at += 5 * MS
        trace.nvtx("step", begun, at - US)
    assert worst(trace) == cause


@pytest.mark.parametrize(("connects", "cause"), [(False, "no_demand"), (True, "lock_contention")])
def test_a_server_takes_its_time_to_hand_a_request_on(connects, cause):
    """2 ms of a wait of 28 ms. A program that asks others has worked on what it received."""
    trace = Synthetic()
    for start in range(MS, STEPS * 30 * MS, 30 * MS):
        trace.nvtx("step", start, start + 30 * MS - US)
        computes(trace, start, length=MS)
        if connects:
            trace.os("connect", start - 10 * US, start, thread=WATCHER)
        trace.os("sem_wait", start + MS, start + 29 * MS)
        trace.os("epoll_wait", start + 2 * MS, start + 26900 * US, thread=WATCHER)
        trace.os("recv", start + 27 * MS - 20 * US, start + 27 * MS - 10 * US, thread=WATCHER)
    assert worst(trace) == cause


def test_a_thread_that_is_without_a_core_for_longer_than_a_quota_lasts_waits():
    trace = Synthetic()
    for start in range(0, STEPS * 300 * MS, 300 * MS):
        trace.nvtx("step", start, start + 300 * MS - US)
        computes(trace, start)
        trace.off_core(start + 10 * MS, start + 290 * MS)
    assert worst(trace) != "cpu_contention"


@pytest.mark.parametrize(("step", "noted"), [(synchronizes_after_the_end("cudaStreamQuery_v3020"), True), (has_no_core, False)])
def test_a_lack_of_cores_without_context_switches_is_noted(step, noted):
    told = "Without context switches, a lack of cores is seen only"
    with repeated(step).analysed() as analysis:
        assert any(note.startswith(told) for (note,) in analysis.tuples("SELECT note FROM notes")) == noted


def test_code_between_page_faults_is_inferred():
    """When a page fault ends is not in the trace, so that when the code after it begins is not seen."""
    with repeated(works_on_pages_that_came).analysed() as analysis:
        between = "SELECT DISTINCT s.basis FROM window_segments AS s SEMI JOIN migrations AS m ON m.activity_id = s.gap_id"
        assert analysis.tuples(f"{between} WHERE s.cause = 'host_compute'") == [("inferred",)]
