"""Runs workloads of several ranks in forks of one process that has loaded torch, which takes seconds, and run nothing yet.

The test process is none: torch refuses to fork where it has run a backward pass.
"""

import os
import runpy
import sys
from multiprocessing import get_context

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
        process.kill()
    return [process.exitcode for process in processes]


def _run(script, arguments, output, environment):
    with output.open("a") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    os.environ |= environment
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.parent))
    runpy.run_path(str(script), run_name="__main__")
