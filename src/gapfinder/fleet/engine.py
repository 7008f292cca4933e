"""Where tasks run: all that is Dask's is here. A task is done by one worker process, and by another where that one dies."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from threading import Lock

import dask
from distributed import Client, KilledWorker, LocalCluster, as_completed, get_worker
from distributed.security import Security

from gapfinder.conversion.record import computing
from gapfinder.errors import UsageError
from gapfinder.fleet.task import Setup, examine, unread
from gapfinder.fleet.traces import FleetTrace
from gapfinder.units import count

CONNECT_S = 10
ANY_PORT = "127.0.0.1:0"  # of the dashboard, which Dask does not leave away
FOR_DUCKDB = 0.6  # of a worker's memory; Dask ends a worker at 0.95, and Python's share is under 0.1 GB
_one_trace = Lock()  # a worker has one at a time, however many threads it was given: so much memory, and no more


def examined(
    traces: Sequence[FleetTrace], setup: Setup, *, workers: int, scheduler: str | None
) -> Iterator[tuple[FleetTrace, bytes]]:
    """Each trace with the file that is to be kept of it, as they are done.

    By the workers of a Dask scheduler; without one by so many processes of this machine, or with 0 in this process, one after
    the other. Raises UsageError where the scheduler or its workers are not fit for it.
    """
    if scheduler is None and workers == 0:
        yield from ((trace, examine(trace, setup)) for trace in traces)
        return
    with cluster_of(workers) if scheduler is None else nullcontext(scheduler) as cluster, client_of(cluster) as client:
        _check_workers(client, setup)
        waiting = {f"gapfinder-{trace.identity(setup.computing)}": trace for trace in traces}
        for future in as_completed(client.map(on_worker, traces, key=list(waiting), setup=setup)):
            trace = waiting.pop(future.key)
            try:
                content = future.result()
            except KilledWorker as error:
                workers_ended = count(error.allowed_failures + 1, "worker")
                why = f"{trace.name} ended {workers_ended} that read it: give workers more memory"
                content = unread(trace, setup, why)
            future.release()  # what somebody still wants is done again when the worker that holds it dies
            yield trace, content


def cluster_of(workers: int) -> LocalCluster:
    """Processes of this machine, behind keys that nobody else has: who may talk to a worker may run anything there."""
    with dask.config.set({"distributed.worker.profile.enabled": False}):  # it looks at the stack a hundred times a second
        return LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=ANY_PORT, security=Security.temporary()
        )


def client_of(cluster: LocalCluster | str) -> Client:
    """A client of a cluster, or of the scheduler at an address. Raises UsageError where none answers."""
    try:
        return Client(cluster, timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {cluster}: start one, as with `dask scheduler`") from error


def _check_workers(client: Client, setup: Setup) -> None:
    """Wait for a first worker. Raises UsageError where one has no gapfinder, or another one."""
    client.wait_for_workers(1)
    try:
        found = client.run(computing, setup.options, setup.config)
    except ImportError as error:
        raise UsageError(f"a worker lacks what a trace is read with ({error}): install gapfinder[fleet] there") from error
    if others := [address for address, digest in found.items() if digest != setup.computing]:
        raise UsageError(f"the worker {others[0]} has another gapfinder or other causes: install the same everywhere")


def on_worker(trace: FleetTrace, setup: Setup) -> bytes:
    """The task as a worker does it."""
    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    with _one_trace, _temporary_files_in(worker.local_directory):
        return examine(trace, setup, int(FOR_DUCKDB * limit) if limit else None)


@contextmanager
def _temporary_files_in(folder: str) -> Iterator[None]:
    """Dask clears the folder of a worker that was killed; nobody else would remove what that one had copied."""
    before = tempfile.tempdir
    tempfile.tempdir = folder
    try:
        yield
    finally:
        tempfile.tempdir = before
