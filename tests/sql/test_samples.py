"""What samples tell: where a thread ran, and for what, is seen; and what they refute is not inferred."""

import pytest
from idle_steps import STEP, STEPS, repeated
from synthetic import MS, US, Synthetic, thread
from variations import one_of_each, some

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.evidence import evidence
from gapfinder.diagnosis.window import window_of
from gapfinder.options import Options, Window

LOOP = thread(tid=9)  # launches nothing
PACKAGES = "/opt/venv/lib/python3.12/site-packages"
LIBRARY = "/usr/lib/python3.12"
OWN = ("/home/me/train.py", "&lt;module&gt;", 40)
NVRTC = (("/lib/libc.so.6", "__libc_malloc"), ("/opt/cu13/libnvrtc.so.13", "nvrtcCompileProgram"))
XLA = "/opt/jax_plugins/xla_cuda13/xla_cuda_plugin.so"
XLA_COMPILES = (("/lib/libc.so.6", "__libc_malloc"), (XLA, "mlir::PassManager::run(mlir::Operation*)"))
XLA_RUNS = ((XLA, "xla::gpu::GpuExecutable::ExecuteThunks(xla::gpu::BufferAllocations const&)"),)
INTERPRETER = (("/usr/bin/python3.12", "_PyEval_EvalFrameDefault"),)
LOADER = ((f"{LIBRARY}/queue.py", "get", 180), (f"{PACKAGES}/torch/utils/data/dataloader.py", "__next__", 741), OWN)
STARTS_WORKERS = (
    (f"{LIBRARY}/multiprocessing/popen_fork.py", "_launch", 66),
    (f"{PACKAGES}/torch/utils/data/dataloader.py", "_get_iterator", 440),
    OWN,
)
REPLICATES = (
    (f"{PACKAGES}/torch/nn/parallel/replicate.py", "replicate", 120),
    (f"{PACKAGES}/torch/nn/parallel/data_parallel.py", "forward", 190),
    OWN,
)
CALLED_BACK = (
    ("/home/me/train.py", "distance", 7),
    (f"{PACKAGES}/jax/_src/callback.py", "pure_callback_impl", 120),
    OWN,
)
RECEIVES = (
    (f"{LIBRARY}/multiprocessing/connection.py", "_recv", 395),
    (f"{LIBRARY}/multiprocessing/queues.py", "get", 103),
    OWN,
)
FROM_A_THREAD = ((f"{LIBRARY}/threading.py", "wait", 355), (f"{LIBRARY}/queue.py", "get", 171), OWN)
BUSY_LOADER = (("/home/me/data.py", "decode", 7), (f"{PACKAGES}/torch/utils/data/_utils/fetch.py", "fetch", 50), OWN)
# the outermost frame that speaks for a cause decides, also where an inner one speaks for the same cause
LOADS_A_FILE = (
    (f"{PACKAGES}/torch/utils/data/_utils/collate.py", "collate", 120),
    (f"{PACKAGES}/numpy/lib/npyio.py", "load", 50),
    (f"{PACKAGES}/torch/utils/data/_utils/fetch.py", "fetch", 50),
    OWN,
)
SAVES = ((f"{PACKAGES}/torch/serialization.py", "_save", 1313), OWN)
COMPUTES = ((f"{PACKAGES}/numpy/linalg/_linalg.py", "svd", 1700), OWN)


def during(start, from_ms, to_ms, every=MS):
    return range(start + from_ms * MS, start + to_ms * MS, every)


def compiles(trace, start):
    for at in during(start, 6, 19):
        trace.cpu_sample(at, *NVRTC)


def loads_a_module(trace, start, frames):
    trace.call("cuModuleLoadData", start + 17 * MS, start + 18 * MS)
    for at in during(start, 6, 17):
        trace.cpu_sample(at, *frames)


def waits(call, frames):
    def step(trace, start):
        if call:
            trace.os(call, start + 6 * MS - 400 * US, start + 19 * MS)  # no timeout, which is whole milliseconds
        for at in during(start, 6, 19):
            trace.sample(at, *frames)

    return step


def told(trace):
    """The longest lost time: its cause, state, and how it is known."""
    with trace.analysed() as analysis:
        return analysis.tuples(
            "SELECT cause, state, basis FROM window_segments GROUP BY ALL ORDER BY sum(end_ns - start_ns) DESC LIMIT 1"
        )[0]


@pytest.mark.parametrize(
    ("step", "expected"),
    one_of_each(
        lambda _, expected: expected,
        [
            (compiles, ("module_loading", "run", "seen")),
            (lambda trace, start: loads_a_module(trace, start, NVRTC), ("module_loading", "run", "seen")),
            # XLA holds its compiler itself: there the function tells, not the library
            (lambda trace, start: loads_a_module(trace, start, XLA_COMPILES), ("module_loading", "run", "seen")),
            (lambda trace, start: loads_a_module(trace, start, XLA_RUNS), ("host_compute", "run", "seen")),
            (lambda trace, start: loads_a_module(trace, start, ()), ("module_loading", "run", "inferred")),
            (lambda trace, start: loads_a_module(trace, start, INTERPRETER), ("host_compute", "run", "seen")),
            (waits("sem_clockwait", LOADER), ("input_pipeline", "wait", "seen")),
            (waits("sem_wait", FROM_A_THREAD), ("input_pipeline", "wait", "seen")),
            (waits(None, BUSY_LOADER), ("input_pipeline", "run", "seen")),
            (waits(None, LOADS_A_FILE), ("input_pipeline", "run", "seen")),
            (waits(None, SAVES), ("storage_io", "run", "seen")),
            (waits(None, COMPUTES), ("host_compute", "run", "seen")),
        ],
    ),
    ids=[
        "compiles",
        "compiles-and-loads",
        "xla-compiles",
        "xla-runs",
        "loads-unseen",
        "loads-little",
        "awaits-batch",
        "awaits-a-thread",
        "makes-batch",
        "reads-for-a-batch",
        "saves",
        "computes",
    ],
)
def test_samples_tell_the_cause(step, expected):
    assert told(repeated(step)) == expected


def test_what_a_queue_brings_is_an_answer_where_a_result_was_fetched_for_it():
    """Threads simulate on, given what the network chose, and the next step uploads what they saw."""

    def step(trace, start):
        trace.copy(start + 5 * MS, start + 5 * MS + 60 * US, (start + 20 * US, start + 30 * US), "Device-to-Host")
        trace.copy(start + 19 * MS + 20 * US, start + 19 * MS + 60 * US, (start + 19 * MS, start + 19 * MS + 10 * US))
        waits("sem_wait", FROM_A_THREAD)(trace, start)

    assert told(repeated(step)) == ("host_compute", "wait", "seen")


def test_a_queue_without_room_is_a_slow_taker():
    puts = ((f"{LIBRARY}/threading.py", "wait", 355), (f"{LIBRARY}/queue.py", "put", 140), OWN)
    trace = repeated(waits("sem_wait", puts))
    assert told(trace) == ("host_compute", "wait", "seen")
    assert trace.advice("host_compute").startswith("The launching thread waits until another thread takes what it has made")


def test_few_samples_of_many_do_not_tell():
    def step(trace, start):
        compiles(trace, start)
        for at in during(start, 6, 19, every=MS // 2):
            trace.cpu_sample(at + US, *INTERPRETER)

    assert told(repeated(step)) == ("host_compute", "run", "seen")


def test_what_a_data_loader_calls_is_loading():
    frames = ((f"{PACKAGES}/torch/serialization.py", "load", 1500), *BUSY_LOADER)
    assert told(repeated(waits(None, frames))) == ("input_pipeline", "run", "seen")


@pytest.mark.parametrize(
    ("file", "function", "expected"),
    [
        ("tokenization_utils_base.py", "__call__", "input_pipeline"),
        ("models/vit/image_processing_vit.py", "__call__", "input_pipeline"),
        ("tokenization_utils_base.py", "decode", "host_compute"),  # what the model wrote
        ("models/bert/modeling_bert.py", "__call__", "host_compute"),
    ],
)
def test_encoding_of_texts_and_images_is_input(file, function, expected):
    frames = (("/home/me/text.py", "split", 7), (f"{PACKAGES}/transformers/{file}", function, 2800), OWN)
    assert told(repeated(waits(None, frames))) == (expected, "run", "seen")


@pytest.mark.parametrize(
    ("frames", "expected"),
    [
        (LOADER, ("input_pipeline", "wait", "seen")),
        (((f"{LIBRARY}/threading.py", "wait", 355), OWN), ("unexplained", "wait", None)),
    ],
    ids=["loader", "own-lock"],
)
def test_a_wait_beside_a_data_loader_need_not_be_for_it(frames, expected):
    trace = repeated(waits("poll", frames))
    trace.thread(6, name="pt_data_pin")
    assert told(trace) == expected
    unsampled = repeated(waits("poll", ()))
    unsampled.thread(6, name="pt_data_pin")
    unsampled.tables["NVTX_EVENTS"] = [event for event in unsampled.tables["NVTX_EVENTS"] if not event.get("jsonText")]
    assert told(unsampled) == ("input_pipeline", "wait", "inferred")


def before_an_upload(frames, then, every=MS):
    """Code until the upload of a batch, and what is run after it."""

    def step(trace, start):
        for at in during(start, 6, 18, every):
            trace.sample(at, *frames)
        trace.copy(start + 18 * MS, start + 18500 * US, (start + 18 * MS - 10 * US, start + 18 * MS - 5 * US))
        trace.sample(start + 18 * MS + US, *then)

    return step


def main(line):
    return ("/home/me/train.py", "main", line)


HELPS = ("/home/me/train.py", "housekeeping", 90)
UPLOADS = ("/home/me/train.py", "get", 95)


@pytest.mark.parametrize(
    ("step", "expected"),
    one_of_each(
        lambda _, expected: expected,
        [
            (before_an_upload([HELPS, main(40)], [main(20)]), "host_compute"),
            (before_an_upload([main(40)], [UPLOADS, main(20)]), "host_compute"),
            (before_an_upload([HELPS, main(20)], [main(30)]), "input_pipeline"),
            (before_an_upload([HELPS, main(20)], [UPLOADS, main(20)]), "input_pipeline"),  # two functions of one line
            (before_an_upload([("/home/me/data.py", "main", 40)], [main(20)]), "input_pipeline"),
            (before_an_upload([main(40)], [main(20)], every=5 * MS), "host_compute"),
            (before_an_upload([main(40)], [main(20)], every=6 * MS), "input_pipeline"),  # two samples
        ],
    ),
    ids=["function", "line", "earlier-line", "same-line", "another-file", "three-samples", "few-samples"],
)
def test_code_in_the_tail_of_a_loop_makes_no_batch(step, expected):
    assert told(repeated(step)) == (expected, "run", "inferred" if expected == "input_pipeline" else "seen")


def test_the_longer_part_of_a_segment_tells_whether_it_is_the_tail():
    """The thread collects garbage and then makes a batch, without a call in between."""

    def step(tail_ms):
        def both(trace, start):
            before_an_upload([], [main(20)], every=12 * MS)(trace, start)
            for at in during(start, 6, 18):
                trace.sample(at + US, main(40 if at < start + (6 + tail_ms) * MS else 10))

        return both

    assert told(repeated(step(8)))[0] == "host_compute"
    assert told(repeated(step(4)))[0] == "input_pipeline"


def test_advice_on_the_tail_of_a_loop():
    trace = repeated(before_an_upload([main(40)], [main(20)]))
    assert trace.advice("host_compute").startswith("This code stands at the end of the loop")


def test_advice_on_copying_the_model_in_each_step():
    assert "DistributedDataParallel" in repeated(waits(None, REPLICATES)).advice("host_compute")


def test_advice_on_python_code_that_xla_calls():
    assert repeated(waits(None, CALLED_BACK)).advice("host_compute").startswith("XLA calls Python code in the middle")


@pytest.mark.parametrize(
    ("state", "frames", "worker", "advice"),
    [
        (None, STARTS_WORKERS, "pt_data_worker", "For 100 % of this time, the thread starts and ends the worker processes"),
        ("sem_clockwait", LOADER, "pt_data_worker", "The training thread waits for batches that its worker processes cannot"),
        ("sem_clockwait", RECEIVES, "feeder", "The launching thread waits for batches that other processes send"),
    ],
    ids=["starts-workers", "awaits-workers", "awaits-others"],
)
def test_advice_on_workers_is_by_what_the_thread_does_with_them(state, frames, worker, advice):
    trace = repeated(waits(state, frames))
    trace.thread(tid=5, pid=2, name=worker)
    told = trace.advice("input_pipeline")
    assert told.startswith(advice)
    assert ("each new one starts new workers" in told) == (frames == STARTS_WORKERS)


WORKERS = [thread(tid=number) for number in range(20, 24)]
TOKENIZER = (("/opt/venv/lib/tokenizers.abi3.so", "encode"),)


def hands_over(every, workers=WORKERS):
    """The launching thread waits in a futex for its own threads, of which samples find some running."""

    def step(trace, start):
        trace.os("futex", start + 6 * MS, start + 19 * MS)
        for worker in workers:
            for at in during(start, 6, 19, every):
                trace.cpu_sample(at, *TOKENIZER, thread=worker)

    return step


@pytest.mark.parametrize(
    ("step", "expected"),
    one_of_each(
        lambda _, expected: expected,
        [
            (hands_over(MS), ("host_compute", "wait", "seen")),
            (hands_over(MS, WORKERS[:1]), ("host_compute", "wait", "seen")),
            (hands_over(MS, [thread(tid=5, pid=2)]), ("unexplained", "wait", None)),
            (hands_over(MS, []), ("unexplained", "wait", None)),
        ],
    ),
    ids=["pool", "one-thread", "another-process", "nobody"],
)
def test_a_wait_for_own_threads_that_compute_is_host_compute(step, expected):
    assert told(repeated(step)) == expected


def is_woken(by=WORKERS[0], after=50 * US, sleeps=0):
    """The launching thread waits for a condition until another one tells it, which slept for `sleeps` of that time."""

    def step(trace, start):
        trace.os("pthread_cond_wait", start + 6 * MS, start + 19 * MS)
        trace.os("nanosleep", start + 7 * MS, start + 7 * MS + sleeps, by)
        trace.os("pthread_cond_signal", start + 19 * MS - after, start + 19 * MS - after + 2 * US, by)

    return step


@pytest.mark.parametrize(
    ("step", "expected"),
    one_of_each(
        lambda _, expected: expected,
        [
            (is_woken(), ("host_compute", "wait", "inferred")),
            (is_woken(sleeps=6 * MS), ("host_compute", "wait", "inferred")),
            (is_woken(sleeps=7 * MS), ("unexplained", "wait", None)),
            (is_woken(after=MS), ("unexplained", "wait", None)),
            (is_woken(by=thread(tid=5, pid=2)), ("unexplained", "wait", None)),
        ],
    ),
    ids=["works", "works-for-half", "sleeps", "is-not-the-last", "another-process"],
)
def test_a_wait_for_a_thread_that_worked_is_host_compute(step, expected):
    trace = repeated(step)
    assert told(trace) == expected
    if expected[0] == "host_compute":
        assert trace.advice("host_compute").startswith("The launching thread waits for another thread of the program")


def test_own_threads_that_run_for_little_of_a_wait_explain_nothing():
    def step(trace, start):
        hands_over(MS, [])(trace, start)
        for at in during(start, 6, 8, every=MS // 2):
            trace.cpu_sample(at, *TOKENIZER, thread=WORKERS[0])

    assert told(repeated(step)) == ("unexplained", "wait", None)


@pytest.mark.parametrize(
    ("holder", "expected"),
    [("NSys PySampling", ("profiler", "profiler", "seen")), ("pt_data_pin", ("lock_contention", "lock", "seen"))],
)
def test_a_wait_for_the_gil_is_for_who_holds_it(holder, expected):
    def step(trace, start):
        trace.nvtx("Waiting for GIL", start + 6 * MS, start + 19 * MS, domain=1)
        trace.nvtx("Holding GIL", start + 6 * MS - US, start + 19 * MS, thread=LOOP, domain=1)

    trace = repeated(step)
    trace.domain("GIL Trace", 1)
    trace.thread(9, name=holder)
    assert told(trace) == expected
    if holder == "pt_data_pin":
        assert trace.advice("lock_contention").startswith("Thread pt_data_pin (9) holds the GIL")


def test_the_line_that_holds_a_lock_is_that_of_the_thread_that_releases_it():
    """It holds the GIL only as it releases the lock. Another thread holds the GIL meanwhile, and a third one waits for others."""
    holder, other, idle = thread(8), thread(9), thread(10)

    def step(trace, start):
        trace.os("sem_wait", start + 6 * MS, start + 19 * MS)
        trace.os("sem_wait", start + 8 * MS, start + 9 * MS, idle)
        trace.nvtx("Holding GIL", start + 7 * MS, start + 18 * MS, thread=other, domain=1)
        trace.nvtx("Holding GIL", start + 19 * MS - 50 * US, start + 19 * MS + US, thread=holder, domain=1)
        for at in during(start, 6, 19):
            trace.sample(at, OWN)
            for line, who in enumerate((holder, other, idle)):
                trace.sample(at, ("/home/me/store.py", "merge", line), thread=who)

    trace = repeated(step)
    trace.domain("GIL Trace", 1)
    with trace.analysed() as analysis:
        lines = analysis.tuples("SELECT line, function FROM source_lines WHERE cause = 'lock_contention'")
    assert lines == [(0, "merge, on the thread that holds the lock")]


@pytest.mark.parametrize(("waits_ms", "cause"), [(13, "lock_contention"), (4, "host_compute")])
def test_code_for_which_another_launching_thread_waits_is_the_locks(waits_ms, cause):
    """Two threads with a model each file their results under one lock: without it, both would do so at once."""
    other = thread(8)

    def step(trace, start):
        trace.kernel(start + 5 * MS, start + 5500 * US, (start + 30 * US, start + 40 * US), thread=other)
        trace.os("sem_clockwait", start + 6 * MS, start + (6 + waits_ms) * MS, other)
        for at in during(start, 6, 19):
            trace.sample(at, ("/home/me/count.py", "add", 84))
            trace.sample(at, ("/home/me/count.py", "add", 83), thread=other)

    trace = repeated(step)
    with trace.analysed() as analysis:
        found = next(one for one in diagnose(analysis).causes if one.lost_ns > 10 * MS * STEPS)
    assert found.cause == cause
    if cause == "lock_contention":  # half of the code stays
        assert found.predicted_step_ns == pytest.approx(STEP - found.lost_ns / STEPS / 2, rel=0.03)
        assert trace.advice(cause).startswith("One thread runs CPU code while others that launch GPU work wait for a lock")
        assert [line for line, _ in lines_of(cause, trace)] == [84]


def test_the_holder_of_the_drivers_lock_is_named():
    features = thread(8)

    def step(trace, start):
        trace.os("pthread_rwlock_wrlock", start + 6 * MS, start + 19 * MS)
        trace.call("cudaLaunchKernel_v7000", start + 5 * MS, start + 19 * MS + US)
        trace.call("cudaFree_v3020", start + 5 * MS, start + 18 * MS, features)
        trace.call("cudaMalloc_v3020", start + 18 * MS, start + 19 * MS, features)
        for at in during(start, 6, 18):
            trace.sample(at, ("/home/me/train.py", "featurize", 70), thread=features)

    trace = repeated(step)
    trace.thread(8, name="features")
    assert told(trace) == ("lock_contention", "lock", "seen")
    with trace.analysed() as analysis:
        ((fix,),) = analysis.tuples("SELECT fix FROM fix_lock_contention")
        lines = analysis.tuples("SELECT line, function FROM source_lines WHERE cause = 'lock_contention'")
    assert "thread features (8) holds it, mostly in cudaFree" in fix
    assert lines == [(70, "featurize, on the thread that holds the lock")]


@pytest.mark.parametrize(
    ("calls", "advice"),
    some(
        1,
        [
            ({"fopen": 6, "writev": 4}, "Save in the background"),
            ({"open": 2, "read": 8}, "Read ahead"),
            ({"fopen": 10}, "Save in the"),
        ],
    ),
    ids=["writes", "reads", "opens"],
)
def test_advice_on_files_is_by_what_is_done_with_them(calls, advice):
    def step(trace, start):
        at = start + 6 * MS
        for name, length in calls.items():
            trace.os(name, at, at + length * MS)
            at += length * MS

    assert repeated(step).advice("storage_io").startswith(advice)


def serves(frames):
    """Another thread receives requests, and wakes the one that launches."""

    def step(trace, start):
        woken = start + 19 * MS
        waits("sem_wait", frames)(trace, start)
        trace.os("epoll_wait", woken - 200 * US, woken - 150 * US, thread=LOOP)
        trace.os("recv", woken - 100 * US, woken - 99 * US, thread=LOOP)

    return step


@pytest.mark.parametrize(
    ("frames", "basis"),
    one_of_each(
        lambda _, basis: basis,
        [
            (((f"{LIBRARY}/concurrent/futures/thread.py", "_worker", 89),), "seen"),
            (((f"{LIBRARY}/selectors.py", "select", 468), (f"{LIBRARY}/asyncio/base_events.py", "_run_once", 1995)), "seen"),
            (((f"{LIBRARY}/asyncio/runners.py", "run", 118), OWN), "seen"),
            ((OWN, (f"{LIBRARY}/concurrent/futures/thread.py", "_worker", 92)), "inferred"),
        ],
    ),
    ids=["idle-worker", "idle-loop", "idle-uvloop", "busy-worker"],
)
def test_an_idle_server_is_seen(frames, basis):
    assert told(repeated(serves(frames))) == ("no_demand", "wait", basis)


def test_two_gpus_that_wait_for_one_thread_are_both_seen():
    def step(trace, start):
        trace.kernel(start + 30 * US, start + 4 * MS, (start + 11 * US, start + 15 * US), gpu=1)
        compiles(trace, start)

    with repeated(step).analysed() as analysis:
        seen = analysis.tuples(
            "SELECT gpu, count(*) FROM window_segments WHERE cause = 'module_loading' AND basis = 'seen' GROUP BY gpu"
        )
    assert {gpu for gpu, _ in seen} == {0, 1}


def facts(trace, cause):
    with trace.analysed() as analysis:
        return evidence(analysis, window_of(analysis))[cause]


def texts(trace, cause):
    return [fact.text for fact in facts(trace, cause)]


def test_the_compiler_is_named_and_who_calls_it():
    told = "in libnvrtc.so.13 (compiling), most in nvrtcCompileProgram"
    assert any(told in text for text in texts(repeated(compiles), "module_loading"))
    assert "cuDNN" not in repeated(compiles).advice("module_loading")

    def for_cudnn(trace, start):
        for at in during(start, 6, 19):
            trace.cpu_sample(at, *NVRTC, ("/opt/libcudnn_engines_runtime_compiled.so.9", None), ("[Unknown]", None))

    fix = repeated(for_cudnn).advice("module_loading")
    assert fix.startswith("cuDNN compiles kernels at run time")
    assert (fix.count("as a warm-up"), fix.count("torch.compile")) == (1, 0)


@pytest.mark.parametrize(
    ("files", "own_kernels", "torch_compile"),
    [
        (["triton/compiler/compiler.py", "triton/runtime/jit.py"], True, False),
        (["triton/compiler/compiler.py", "triton/runtime/jit.py", "torch/_inductor/async_compile.py"], False, True),
        (["torch/_dynamo/convert_frame.py"], False, True),
        (["torch/utils/cpp_extension.py"], False, False),
    ],
    ids=["triton", "inductor", "dynamo", "extension"],
)
def test_advice_on_compiling_is_by_who_compiles(files, own_kernels, torch_compile):
    frames = [*((f"{PACKAGES}/{file}", "compile", 1) for file in files), OWN]

    def step(trace, start):
        for at in during(start, 6, 19):
            trace.sample(at, *frames)

    told = repeated(step).advice("module_loading")
    assert ("pass it as a plain argument" in told, "torch.compile" in told) == (own_kernels, torch_compile)


@pytest.mark.parametrize(
    ("frames", "shown"),
    some(
        1,
        [
            ((("/lib/libc.so.6", "__memmove_avx"), ("/opt/libtorch_cpu.so", "copy_")), "libtorch_cpu.so (copying memory)"),
            ((("[kernel.kallsyms]", "asm_exc_page_fault"), ("/home/me/fill", "main")), "[kernel.kallsyms] (page faults)"),
            ((("/lib/libc.so.6", "random"),), "libc.so.6, most in random"),
            ((("/opt/libcudnn_heuristic.so.9", None),), "libcudnn_heuristic.so.9 (heuristics of cuDNN)"),
            (INTERPRETER, "python3.12 (the interpreter), most in _PyEval_EvalFrameDefault"),
        ],
    ),
    ids=["memcpy", "page-faults", "c-library", "heuristics", "interpreter"],
)
def test_where_the_thread_ran_is_evidence(frames, shown):
    def step(trace, start):
        for at in during(start, 6, 19):
            trace.cpu_sample(at, *frames)

    assert any(f"CPU samples in {shown}" in text for text in texts(repeated(step), "host_compute"))


@pytest.mark.parametrize(
    "frame",
    [
        ("&lt;frozen os&gt;", "walk", 400),
        ("<frozen importlib._bootstrap>", "_find_and_load", 1360),
        (f"{LIBRARY}/json/decoder.py", "raw_decode", 353),
        ("&lt;string&gt;", "__eq__", 2),
    ],
    ids=["frozen-escaped", "frozen", "library", "made-at-run-time"],
)
def test_the_standard_library_is_never_blamed(frame):
    with repeated(waits(None, (frame, OWN))).analysed() as analysis:
        assert analysis.tuples("SELECT DISTINCT file, line, function FROM source_lines") == [
            ("/home/me/train.py", 40, "<module>")
        ]


def uploads_and_waits(trace, start):
    """A blocking upload on line 12 begins while a kernel runs, and takes the run-ahead of the code after it, on line 20."""
    trace.kernel(start + 20 * US, start + 5 * MS, (start, start + 10 * US))
    trace.copy(start + 5010 * US, start + 5200 * US, (start + 50 * US, start + 5210 * US), host="Pageable", size=4 << 20)
    for at in during(start, 1, 5):
        trace.sample(at, ("/home/me/train.py", "upload", 12))
    for at in during(start, 6, 8):
        trace.sample(at, ("/home/me/train.py", "prepare", 20))


def lines_of(cause, trace, options=None):
    with trace.analysed(options) as analysis:
        return analysis.tuples(f"SELECT line, samples FROM source_lines WHERE cause = '{cause}' ORDER BY samples DESC")


def test_the_line_that_waits_for_an_upload_is_to_blame():
    in_all = lines_of("copy", repeated(uploads_and_waits))
    assert [line for line, _ in in_all] == [12, 20]


def test_lines_are_of_the_window():
    """Only the call of the chosen step took run-ahead there."""
    in_all = lines_of("copy", repeated(uploads_and_waits))
    in_one = lines_of("copy", repeated(uploads_and_waits), Options(window=Window.parse("3..3")))
    assert [line for line, _ in in_one] == [12, 20]
    assert in_one[0][1] * STEPS == in_all[0][1]


def test_the_line_of_work_launched_in_time_is_where_it_was_launched():
    """A copy is exposed long after its launch, on line 12, and the thread is on line 40 by then."""

    def step(trace, start):
        trace.copy(start + 5 * MS, start + 19 * MS, (start + 2 * MS, start + 2 * MS + 10 * US))
        trace.sample(start + 2 * MS - 100 * US, ("/home/me/train.py", "upload", 12))
        for at in during(start, 6, 19):
            trace.sample(at, OWN)

    assert lines_of("copy", repeated(step)) == [(12, STEPS)]


def test_the_line_of_a_backward_pass_is_that_of_the_thread_that_waits_for_it():
    backward = thread(8)

    def step(trace, start):
        for number in range(60):
            at = start + 6 * MS + number * 200 * US
            trace.kernel(at + 20 * US, at + 30 * US, (at, at + 10 * US), thread=backward)
        trace.os("pthread_cond_wait", start + 5 * MS, start + 18 * MS)
        for at in during(start, 6, 18):
            trace.sample(at, ("/home/me/train.py", "backward", 55))

    ((line, samples),) = lines_of("launch_bound", repeated(step))
    assert line == 55
    assert samples == pytest.approx(12 * STEPS, rel=0.2)


@pytest.mark.parametrize(
    ("held_ms", "advice"), [((1, 2), "Let more of them do it at once: for 100 %"), ((2, 16), "Let processes do it")]
)
def test_who_makes_the_batch_is_told_and_whether_threads_can(held_ms, advice):
    """The thread that decodes works, another one waits for it, as the launching one does, and one waits until all ends."""
    decoder, other, idle = thread(8), thread(9), thread(10)

    def step(trace, start):
        trace.os("sem_wait", start + 6 * MS, start + 18 * MS)
        trace.os("sem_wait", start + 6 * MS, start + 18 * MS, other)
        trace.os("pthread_cond_signal", start + 18 * MS - 20 * US, start + 18 * MS - 10 * US, decoder)
        trace.nvtx("Holding GIL", start + held_ms[0] * MS, start + held_ms[1] * MS, thread=decoder, domain=1)
        for at in during(start, 6, 18):
            trace.sample(at, *LOADER)
            trace.sample(at, ("/home/me/data.py", "decode", 7), thread=decoder)
            trace.sample(at, ("/home/me/data.py", "run", 30), thread=other)
            trace.sample(at, ("/home/me/monitor.py", "serve_forever", 9), thread=idle)

    trace = repeated(step)
    trace.domain("GIL Trace", 1)
    assert told(trace)[0] == "input_pipeline"
    lines = [fact.source_line for fact in facts(trace, "input_pipeline") if fact.source_line]
    assert lines == ["/home/me/train.py:40", "/home/me/data.py:7"]
    assert advice in trace.advice("input_pipeline")


def test_threads_that_take_turns_for_a_lock_of_a_library_need_no_more_of_them():
    """Two threads work in turn at one line, and each waits there for the other."""
    turns = thread(8), thread(9)

    def step(trace, start):
        trace.os("sem_wait", start + 6 * MS, start + 18 * MS)
        for number, worker in enumerate(turns):
            idle = start + (12 if number == 0 else 6) * MS
            trace.os("pthread_cond_signal", start + 5 * MS, start + 5 * MS + 5 * US, worker)
            trace.os("sem_wait", idle, idle + 6 * MS, worker)
            trace.os("pthread_cond_signal", start + 18 * MS + 5 * US, start + 18 * MS + 10 * US, worker)
        for at in during(start, 6, 18):
            trace.sample(at, *LOADER)
            for worker in turns:
                trace.sample(at, ("/home/me/data.py", "read", 7), thread=worker)

    trace = repeated(step)
    trace.domain("GIL Trace", 1)
    trace.nvtx("Holding GIL", 0, 10 * US, domain=1)
    assert "2 threads take turns" in trace.advice("input_pipeline")


def test_who_asks_for_a_batch_and_then_waits_for_it_asks_too_late():
    late = repeated(lambda trace, start: asks(trace, start, 4, writes=True, frames=RECEIVES))
    assert "If it asks only then, ask for the next batch" in late.advice("input_pipeline")
    in_time = repeated(lambda trace, start: asks(trace, start, 4, writes=False, frames=RECEIVES))
    assert in_time.advice("input_pipeline").startswith("The launching thread waits for batches that other processes send")


def test_who_waits_for_a_lock_itself_does_not_hold_it():
    """Another thread waits for the lock on line 60 for half of the time, and then works under it on line 64."""
    holder = thread(8)

    def step(trace, start):
        trace.os("sem_wait", start + 6 * MS, start + 18 * MS)
        trace.os("sem_wait", start + 6 * MS, start + 12 * MS, holder)
        trace.nvtx("Holding GIL", start + 12 * MS, start + 18 * MS, thread=holder, domain=1)
        for at in during(start, 6, 18):
            trace.sample(at, ("/home/me/learn.py", "sample", 78))
            trace.sample(at, ("/home/me/replay.py", "add", 60 if at < start + 12 * MS else 64), thread=holder)

    trace = repeated(step)
    trace.domain("GIL Trace", 1)
    assert told(trace)[0] == "lock_contention"
    assert [line for line, _ in lines_of("lock_contention", trace)] == [64]


def test_code_that_torch_compile_wrote_is_not_the_users():
    generated = ("/home/me/cache/cl/cclpgibzekkqwl7vtgnf22r2za2pc6z3aqiun3wkzg2kmrp3dqjs.py", "call", 700)
    assert lines_of("host_compute", repeated(waits(None, (generated, OWN))))[0][0] == 40


def test_the_first_batch_of_an_epoch_is_not_the_fault_of_slow_workers():
    resets = tuple((f"{PACKAGES}/torch/utils/data/dataloader.py", function, 1) for function in ("_reset", "__iter__"))

    def step(trace, start):
        trace.os("sem_clockwait", start + 6 * MS, start + 19 * MS)
        trace.sample(start + 5 * MS + 500 * US, *resets, OWN)
        for at in during(start, 6, 19):
            trace.sample(at, *LOADER)

    trace = repeated(step)
    trace.thread(20, pid=2, name="pt_data_worker")
    trace.os("read", 0, MS, thread(20, pid=2))
    assert "first batches of an epoch" in trace.advice("input_pipeline")


def test_a_function_that_launches_the_compute_makes_no_input_whatever_its_name():
    """A diffusion model samples a batch of images, and encodes them on the CPU."""
    encodes = (("/home/me/draw.py", "encode", 30), ("/home/me/draw.py", "sample_batch", 9), OWN)

    def step(trace, start):
        for at in during(start, 6, 19):
            trace.sample(at, *encodes)
        for number in range(5):
            at = start + 19 * MS + number * 100 * US
            trace.sample(at + 20 * US, ("/home/me/draw.py", "sample_batch", 8), OWN)
            trace.kernel(at + 60 * US, at + 70 * US, (at, at + 40 * US))

    assert told(repeated(step)) == ("host_compute", "run", "seen")
    assert told(repeated(waits(None, (("/home/me/draw.py", "sample_batch", 9), OWN)))) == ("input_pipeline", "run", "seen")


def test_short_file_calls_of_a_compiler_are_compiling():
    nvrtc = ((f"{PACKAGES}/cupy/cuda/compiler.py", "compile", 860), OWN)

    def step(trace, start):
        for at in during(start, 6, 19):
            trace.sample(at, *nvrtc)
            trace.os("fopen", at + 100 * US, at + 600 * US)

    with repeated(step).analysed() as analysis:
        (lost,) = analysis.tuples("SELECT cause FROM window_segments WHERE state = 'io' GROUP BY cause")
    assert lost == ("module_loading",)


def test_the_function_of_a_library_that_takes_the_time_is_told():
    def step(trace, start):
        for at in during(start, 6, 19):
            inner = "adam" if at % (4 * MS) else "lerp"
            trace.sample(
                at,
                (f"{PACKAGES}/torch/nn/modules/module.py", "_call_impl", 1),
                (f"{PACKAGES}/torch/optim/adam.py", inner, 3),
                OWN,
            )

    told_of = [fact.text for fact in facts(repeated(step), "host_compute")]
    assert any(text.endswith(" of its Python samples in torch/optim/adam.py:adam") for text in told_of)


def test_a_line_with_few_samples_of_many_is_not_told():
    def step(trace, start):
        for at in during(start, 6, 19, every=MS // 10):
            trace.sample(at, OWN)
        if not start:
            trace.sample(start + 19 * MS, ("/home/me/train.py", "log", 50))

    assert [line for line, _ in lines_of("host_compute", repeated(step))] == [40]


def test_weights_that_are_loaded_again_and_again_are_to_stay():
    loads = ((f"{PACKAGES}/torch/nn/modules/module.py", "load_state_dict", 2500), ("/home/me/folds.py", "members", 78))

    def step(trace, start):
        trace.copy(start + 5 * MS, start + 19 * MS, (start + 4 * MS, start + 19 * MS), host="Pageable", size=100 << 20)
        for at in during(start, 5, 19):
            trace.sample(at, *loads)

    assert repeated(step).advice("copy").startswith("The weights of a module are copied to the GPU")


def test_a_cell_of_a_notebook_is_the_users_own():
    cell = ("&lt;ipython-input-3-0a&gt;", "&lt;module&gt;", 2)
    with repeated(waits(None, (cell,))).analysed() as analysis:
        assert analysis.tuples("SELECT DISTINCT file FROM source_lines") == [("<ipython-input-3-0a>",)]


def test_a_long_path_is_shown_by_its_end():
    trace = repeated(waits(None, (("/home/me/" + 40 * "folder/" + "train.py", "main", 7),)))
    lines = {fact.source_line for fact in facts(trace, "host_compute")} - {None}
    assert [(line[:1], line[-19:]) for line in lines] == [("…", "r/folder/train.py:7")]


def receives(trace, start):
    trace.os("read", start + 6 * MS, start + 18 * MS)
    for at in during(start, 6, 18):
        trace.sample(at, *RECEIVES)


def sends(trace, start):
    trace.os("write", start + 18 * MS - 50 * US, start + 18 * MS - 20 * US, thread(7, 2))


def asleep(trace, start):
    receives(trace, start)
    trace.os("clock_nanosleep", start + 5 * MS, start + 17 * MS, thread(2, 2))
    sends(trace, start)


def busy(trace, start):
    receives(trace, start)
    trace.os("clock_nanosleep", start + 5 * MS, start + 11 * MS, thread(2, 2))
    sends(trace, start)


def sleeps_beside(trace, start):
    """Another thread than the main one, as one that draws a progress bar."""
    receives(trace, start)
    trace.os("clock_nanosleep", start + 5 * MS, start + 17 * MS, thread(8, 2))
    sends(trace, start)


@pytest.mark.parametrize(
    ("step", "cause"),
    one_of_each(
        lambda _, cause: cause,
        [
            (receives, "input_pipeline"),
            (asleep, "no_demand"),
            (busy, "input_pipeline"),
            (sleeps_beside, "input_pipeline"),
        ],
    ),
)
def test_reading_what_another_process_sends_is_no_file(step, cause):
    assert told(repeated(step)) == (cause, "io", "seen")


ANSWERED = ((f"{LIBRARY}/multiprocessing/connection.py", "_recv", 395), OWN)


def asks(trace, start, fetched_bytes, *, writes, frames=ANSWERED):
    """It fetches a result, writes it to a pipe, and reads what another process makes of it."""
    trace.copy(start + 5 * MS, start + 5 * MS + US, (start + 4 * MS, start + 5 * MS), "Device-to-Host", size=fetched_bytes)
    if writes:
        trace.os("write", start + 5 * MS + 10 * US, start + 5 * MS + 30 * US)
    trace.os("read", start + 6 * MS, start + 18 * MS)
    for at in during(start, 6, 18):
        trace.sample(at, *frames)


@pytest.mark.parametrize(
    ("fetched_bytes", "writes", "frames", "expected"),
    [
        (4096, True, ANSWERED, ("host_compute", "io", "inferred")),
        (4, True, ANSWERED, ("input_pipeline", "io", "seen")),
        (4096, False, ANSWERED, ("input_pipeline", "io", "seen")),
        # it may write to a log
        (4096, True, (ANSWERED[0], *LOADER[1:]), ("input_pipeline", "io", "seen")),
        (4096, True, RECEIVES, ("input_pipeline", "io", "seen")),
    ],
    ids=["a-result", "a-loss", "nothing-sent", "loader", "queue"],
)
def test_who_sends_a_result_and_waits_for_the_answer_waits_for_no_batch(fetched_bytes, writes, frames, expected):
    trace = repeated(lambda trace, start: asks(trace, start, fetched_bytes, writes=writes, frames=frames))
    assert told(trace) == expected
    if expected[0] == "host_compute":
        assert trace.advice("host_compute").startswith("The launching thread asks another program")


def indexes_arrays(trace, start, frames=(("/home/me/train.py", "dataloader", 21), OWN)):
    """The launching thread launches a small kernel each 0.25 ms, and samples find it in one function."""
    for at in during(start, 6, 18, MS // 4):
        trace.kernel(at + 20 * US, at + 22 * US, (at, at + 10 * US), name="gather")
    for at in during(start, 6, 18):
        trace.sample(at, *frames)


def causes_of(trace):
    with trace.analysed() as analysis:
        return {cause: ns / STEPS / MS for cause, ns in analysis.tuples("SELECT cause, lost_ns FROM cause_totals")}


def test_a_loader_that_launches_is_loading():
    found = causes_of(repeated(indexes_arrays))
    assert found["input_pipeline"] == pytest.approx(12, rel=0.1)
    assert found.get("launch_bound", 0) < 2


def test_other_launches_are_launches():
    found = causes_of(repeated(lambda trace, start: indexes_arrays(trace, start, (OWN,))))
    assert "input_pipeline" not in found
    assert found["launch_bound"] > 10


def test_one_sample_of_a_loader_among_launches_is_too_brief_to_tell():
    def step(trace, start):
        indexes_arrays(trace, start, (OWN,))
        trace.sample(start + 9 * MS + MS // 2, ("/home/me/train.py", "dataloader", 21), OWN)

    assert "input_pipeline" not in causes_of(repeated(step))


def receives_briefly(trace, start, frames=RECEIVES):
    """From a pipe, in reads that are too brief for a sample each."""
    for number, at in enumerate(during(start, 6, 18)):
        trace.os("read", at, at + 900 * US)
        if number % 3 == 0:
            trace.sample(at + 100 * US, *frames)


@pytest.mark.parametrize(
    ("frames", "cause"), one_of_each(lambda _, cause: cause, [(RECEIVES, "input_pipeline"), (SAVES, "storage_io")])
)
def test_brief_reads_are_told_by_the_samples_in_all_of_them(frames, cause):
    assert told(repeated(lambda trace, start: receives_briefly(trace, start, frames)))[0] == cause


def test_advice_is_by_what_the_window_lost():
    """At the start files are read, and each step writes: it is the writing that costs."""

    def step(trace, start):
        if start == 0:
            for at in during(start, 6, 7, every=100 * US):
                trace.os("read", at, at + 90 * US)
        trace.os("fsync", start + 8 * MS, start + 18 * MS)

    trace = repeated(step)
    trace.os("read", STEPS * STEP + MS, STEPS * STEP + 900 * MS)
    trace.kernel(STEPS * STEP + 901 * MS, STEPS * STEP + 902 * MS, (STEPS * STEP + 900 * MS, STEPS * STEP + 900 * MS + US))
    assert trace.advice("storage_io").startswith("Save in the background")


@pytest.mark.parametrize(("run_together", "told"), [(True, 0), (False, 10)])
def test_threads_that_run_at_once_run_for_one_time(run_together, told):
    """Eight threads that each run for 2 of the 22 ms in which the launching thread waits."""
    trace = Synthetic()
    trace.thread(1)
    for step in range(10):
        start = step * 30 * MS
        trace.nvtx("step", start, start + 29 * MS)
        for place in range(5):
            at = start + place * MS
            trace.kernel(at + 20 * US, at + 900 * US, (at, at + 10 * US))
        trace.os("pthread_cond_wait", start + 6 * MS, start + 28 * MS)
        for number in range(8):
            since = 0 if run_together else 2 * number
            for part in range(2):
                at = start + 7 * MS + (since + part) * MS + number * 10 * US
                trace.cpu_sample(at, ("/lib/libgomp.so", "f"), thread=thread(50 + number))
    with trace.analysed() as analysis:
        assert analysis.tuples("SELECT count(*) FROM worker_waits") == [(told,)]
