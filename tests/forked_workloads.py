"""Runs workloads in forks of one process that has loaded torch, which takes seconds, and run nothing yet.

The test process is none: it has threads of DuckDB's and polars', which a fork leaves behind with the locks that they hold, and a
data loader's workers are forks. Torch refuses to fork where it has run a backward pass, too.
"""

import os
import runpy
import signal
import sys
from contextlib import suppress
from multiprocessing import get_context, set_start_method

TIMEOUT_S = 120
# an optimizer's first step loads torch._dynamo, which takes most of a second
LOADED = ["forked_workloads", "torch._dynamo", "torch.distributed.fsdp", "torch.utils.data", "gapfinder.annotate"]


def run(script, arguments, output, environments=({},)):
    """The exit statuses of `script`, run once with each of the environments at once; what all of them say goes to `output`."""
    server = get_context("forkserver")
    server.set_forkserver_preload(LOADED)
    processes = [server.Process(target=_run, args=(script, arguments, output, each)) for each in environments]
    for process in processes:
        process.start()
    for process in processes:
        process.join(TIMEOUT_S)
        with suppress(ProcessLookupError):  # none of its ranks or loaders was left
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()  # it may hang before it has a group of its own
        process.join(TIMEOUT_S)
    return [process.exitcode for process in processes]


def _run(script, arguments, output, environment):
    import torch

    os.setsid()
    with output.open("a") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    os.environ |= environment
    set_start_method("fork", force=True)  # which a script that is started by hand has
    torch.set_num_threads(1)  # two of these run at once
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.parent))
    runpy.run_path(str(script), run_name="__main__")
