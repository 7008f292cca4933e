"""Traces of programs that lose much of their time, and copies of them with something done to them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from synthetic import MAIN, MS, US, Synthetic, thread
from traces import FIXTURES, USABLE

STEP = 10 * MS
SMALL_BYTES = 700_000
SMALL = sorted(path for path in FIXTURES.glob("*.sqlite") if path.stat().st_size < SMALL_BYTES)


def holds_kernels(trace: Path) -> bool:
    """Where all work was launched as CUDA graphs there are none."""
    with closing(sqlite3.connect(trace)) as database:
        return database.execute("SELECT 1 FROM sqlite_master WHERE name = 'CUPTI_ACTIVITY_KIND_KERNEL'").fetchone() is not None


BOUND_ELSEWHERE = [FIXTURES / label["file"] for label in USABLE if "gpu_bound" not in label["cause"]]
# Real traces of kernels whose GPU is not the bound, smallest first.
BROKEN = sorted(
    (trace for trace in BOUND_ELSEWHERE if trace.suffix == ".sqlite" and holds_kernels(trace)),
    key=lambda trace: trace.stat().st_size,
)


def full():
    """A trace with every table that is read. It loses half of its time, above all to code."""
    trace = Synthetic()
    trace.thread(1)
    trace.thread(2, name="pt_autograd_0")
    trace.visible(pid=1, ordinal=0, gpu=0)
    trace.context(1, ordinal=0)
    trace.stream(7)
    trace.stream(8)
    trace.gpu_metric(20 * MS, 50)
    trace.domain("GIL Trace", 1)
    trace.session(1_700_000_000_000_000_000)
    trace.nccl(10 * US, 11 * US, communicator=0xA, size=1 << 20)
    for start in range(0, 8 * STEP, STEP):
        trace.nvtx("step", start, start + 9 * MS)
        trace.nvtx("Waiting for GIL", start + 7 * MS, start + 7100 * US, domain=1)
        trace.copy(start + 50 * US, start + 60 * US, (start, start + 5 * US), host="Pageable")
        trace.memset(start + 60 * US, start + 61 * US, (start + 6 * US, start + 7 * US))
        trace.kernel(start + 100 * US, start + 4 * MS, (start + 10 * US, start + 15 * US))
        trace.graph(start + 4 * MS, start + 5 * MS, (start + 20 * US, start + 25 * US), stream=8, thread=thread(2))
        trace.stream_wait(start + 30 * US, start + 31 * US, stream=8)
        trace.call("cudaDeviceSynchronize_v3020", start + 40 * US, start + 5 * MS + 5 * US)
        trace.os("write", start + 6 * MS, start + 6100 * US)
        trace.overhead(start + 8 * MS, start + 8100 * US)
        trace.off_core(start + 8200 * US, start + 8210 * US)
        trace.sample(start + 7500 * US, ("/home/me/train.py", "main", 12), thread=MAIN)
    end = 8 * STEP
    trace.cupti_overhead(end, end + US, "LAZY_FUNCTION_LOADING")
    trace.compiling(end + US, end + 2 * US)
    trace.host_callback(end + 2 * US, end + 3 * US)
    trace.host_function(end + 3 * US, end + 4 * US)
    trace.cpu_sample(end, ("/lib/libc.so.6", "write"))
    trace.file_access("/home/me/log.txt", end + 4 * US, end + 5 * US)
    trace.gpu_turn(0, end)
    trace.cpu_fault(end + 5 * US)
    trace.gpu_fault(end + 5 * US, end + 6 * US)
    trace.diagnostic("Profiling has started.")
    return trace


HAVE = {table: sorted({column for row in rows for column in row}) for table, rows in full().rows().items()}


def loop(trace=None, steps=10):
    """Steps that each lose half of their time to code between two kernels."""
    trace = trace or Synthetic()
    for start in range(0, steps * STEP, STEP):
        trace.nvtx("step", start, start + 9 * MS)
        trace.kernel(start + MS, start + 5 * MS, (start, start + 5 * US))
    return trace


def done_to(trace: Path, *statements: str) -> Path:
    """The trace, after these statements of SQL."""
    with closing(sqlite3.connect(trace)) as database:
        database.execute("PRAGMA synchronous = OFF")
        for statement in statements:
            database.execute(statement)
        database.commit()
    return trace


def altered(folder: Path, *statements: str) -> Path:
    """The full trace, after these statements of SQL."""
    return done_to(full().write(folder / "t.sqlite"), *statements)


def altered_copy(trace: Path, folder: Path, *statements: str) -> Path:
    """A copy of a trace, after these statements of SQL."""
    return done_to(Path(shutil.copy(trace, folder / trace.name)), *statements)
