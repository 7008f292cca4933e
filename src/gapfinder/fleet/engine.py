"""Runs tasks on Dask workers. A task of a worker process that dies is run again by another one. Only this module uses Dask."""

import logging
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from multiprocessing import resource_tracker
from pathlib import Path
from threading import Lock

import dask
from distributed import Client, KilledWorker, LocalCluster, as_completed, get_worker
from distributed.security import Security

from gapfinder.conversion.record import relations_digest
from gapfinder.errors import UsageError, first_line
from gapfinder.fleet.task import Setup, examine, unreadable
from gapfinder.fleet.traces import FleetTrace
from gapfinder.system.environment import OWN_MODULES, changed
from gapfinder.system.interrupting import result_of
from gapfinder.system.scratch import scratch
from gapfinder.system.workers import Workers
from gapfinder.units import count

CONNECT_S = 10
ANY_PORT = "127.0.0.1:0"  # for the dashboard, which Dask always starts
PROCESS_SHARE = 0.6  # of a worker's memory limit; Dask ends a worker at 0.95 of it
# Dask samples stacks 100 times a second. Before Python 3.11.5, that deadlocks where garbage is collected meanwhile (gh-106883).
PROFILER_OFF = {"distributed.worker.profile.enabled": False}
_one_trace = Lock()  # a worker reads one trace at a time, whatever its number of threads, to stay within its memory


def examine_all(
    traces: Sequence[FleetTrace], setup: Setup, *, workers: int, scheduler: str | None
) -> Iterator[tuple[FleetTrace, bytes]]:
    """Examine all traces; yields each trace with the content of its file, as soon as it is done.

    `scheduler` is the address of a Dask scheduler. Without one, `workers` is the number of processes on this machine; 0 means in
    this process, one trace after the other. Raises UsageError if no scheduler answers, or a worker has another gapfinder.
    """
    if scheduler is None and workers == 0:
        yield from ((trace, examine(trace, setup, setup.options.memory_bytes)) for trace in traces)
        return
    with (
        local_cluster(workers, setup.options.memory_bytes) if scheduler is None else nullcontext(scheduler) as cluster,
        connect(cluster) as client,
    ):
        _check_workers(client, setup)
        waiting = {f"gapfinder-{trace.identity(setup.digest)}": trace for trace in traces}
        for future in as_completed(client.map(examine_on_worker, traces, key=list(waiting), setup=setup)):
            trace = waiting.pop(future.key)
            try:
                content = future.result()
            except KilledWorker as error:
                workers_ended = count(error.allowed_failures + 1, "worker")
                why = f"{trace.name} ended {workers_ended} that read it: give workers more memory"
                content = unreadable(trace, setup, why)
            future.release()  # else Dask would run the task again if the worker that holds the result dies
            yield trace, content


@contextmanager
def local_cluster(workers: int, memory_bytes: int | None = None) -> Iterator[LocalCluster]:
    """Workers on this machine, which share the memory limit.

    They get new TLS keys: whoever can connect to a worker can run any code in it. Raises UsageError if they cannot start.
    """

    def start(folder: Path) -> LocalCluster:
        # Ctrl-C, and the closing of a terminal, reach all of its processes; the main thread takes them, and ends the others. A
        # process inherits what the thread that starts it blocks. The tracker comes first: starting it lets Ctrl-C through.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
        _start_quiet_tracker()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        with dask.config.set(PROFILER_OFF | {"temporary-directory": str(folder)}):
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=ANY_PORT,
                security=Security.temporary(),
                memory_limit=memory_bytes // workers if memory_bytes else "auto",
                silence_logs=logging.CRITICAL,  # what is wrong with a worker is told of its trace
            )

    pool = Workers(1)
    with changed(OWN_MODULES), scratch() as folder:  # all the time: a worker that dies is started again
        try:
            cluster = result_of(pool.submit(start, folder))
        except RuntimeError as error:  # so Dask tells that a process lacks memory or files
            raise UsageError(f"{count(workers, 'worker')} cannot start ({first_line(error)}): give --workers 0") from error
        finally:
            pool.shutdown(wait=False)
        with cluster:
            yield cluster


def _start_quiet_tracker() -> None:
    """Start Python's tracker of semaphores, which else warns of those that it cleans up when this process ends at once."""
    with changed({"PYTHONWARNINGS": "ignore:resource_tracker:UserWarning"}):
        resource_tracker.ensure_running()


def connect(cluster: LocalCluster | str) -> Client:
    """A client of a cluster, or of the scheduler at an address. Raises UsageError if no scheduler answers."""
    try:
        return Client(cluster, timeout=CONNECT_S)
    except (OSError, ValueError, TypeError, ImportError) as error:  # the last two for a protocol that Dask lacks
        raise UsageError(f"no Dask scheduler answers at {cluster}: start one, for example with `dask scheduler`") from error


def _check_workers(client: Client, setup: Setup) -> None:
    """Wait for the first worker. Raises UsageError if a worker lacks gapfinder, or has another version, options or causes."""
    client.wait_for_workers(1)
    try:
        digests = client.run(relations_digest, setup.options, setup.config)
    except ImportError as error:
        raise UsageError(f"a worker lacks packages that are needed to read a trace ({error}): install them there") from error
    if others := [address for address, digest in digests.items() if digest != setup.digest]:
        raise UsageError(f"the worker {others[0]} has another version of gapfinder or other causes: install the same everywhere")


def examine_on_worker(trace: FleetTrace, setup: Setup) -> bytes:
    """Examine a trace in a worker, within its memory limit."""
    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    with _one_trace, _temporary_files_in(worker.local_directory):
        return examine(trace, setup, int(PROCESS_SHARE * limit) if limit else None)


@contextmanager
def _temporary_files_in(folder: str) -> Iterator[None]:
    """Put temporary files into the folder of this worker: Dask removes that folder even if the worker is killed."""
    before = tempfile.tempdir
    tempfile.tempdir = folder
    try:
        yield
    finally:
        tempfile.tempdir = before
