"""The common part of the workloads: options, sizes, and the loop that is timed and captured.

A workload is one script. `python workloads/NAME.py` runs it with its fault, `--fixed` with the fix that an engineer would
make, and `--control` with code that looks like the fault and costs nothing. The line of the fault ends in the comment
`# plants: CAUSE`, or `# plants: CAUSE on rank R` if only one rank has it. Each variant prints its time per step.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, TypeVar

import torch
from torch import distributed, multiprocessing, nn

from gapfinder.annotate import WARMUP, steps

T = TypeVar("T")
NO_GPU = 3
RANKS_ON_CPU = 2


@dataclass(frozen=True)
class Run:
    """How a workload runs. `variant` is faulty, fixed or control. `steps` is the number of timed steps after the warm-up.

    `rank` is the number of this process if there are several, see `ranks`.
    """

    name: str
    variant: str
    steps: int
    device: torch.device
    rank: int = 0

    @property
    def fixed(self) -> bool:
        """Whether to run the fix."""
        return self.variant == "fixed"

    @property
    def control(self) -> bool:
        """Whether to run the control."""
        return self.variant == "control"

    @property
    def on_gpu(self) -> bool:
        """Whether it runs on a GPU, with full sizes."""
        return self.device.type == "cuda"

    def size(self, gpu: int, cpu: int) -> int:
        """The size for this device: full on a GPU, tiny on a CPU."""
        return gpu if self.on_gpu else cpu

    def loop(self, batches: Iterable[T] | None = None) -> Iterator[T]:
        """The training loop: yields a batch for each step, or the number of the step; prints the time per step at the end.

        `batches` must have enough batches for the warm-up and the timed steps.
        """
        source = iter(range(sys.maxsize) if batches is None else batches)
        limited = (next(source) for _ in range(WARMUP + self.steps))
        began = took = 0.0
        with steps(limited, active=self.steps) as marked_batches:
            for step, batch in enumerate(marked_batches):
                if step == WARMUP:
                    self.wait_for_gpu()
                    began = time.perf_counter()
                yield batch
                if step == WARMUP + self.steps - 1:  # before nsys ends the capture, which takes seconds
                    self.wait_for_gpu()
                    took = time.perf_counter() - began
        if self.rank == 0:
            print(f"{self.name} {self.variant}: {self.steps} steps of {took / self.steps * 1e3:.3f} ms", flush=True)

    def wait_for_gpu(self) -> None:
        """Wait until all launched work is done."""
        if self.on_gpu:
            torch.cuda.synchronize()

    def captured(self, work: Callable[[], object]) -> Callable[[], object]:
        """A function that runs `work` as one CUDA graph; on a CPU, `work` itself.

        `work` runs three times before it is captured, so that initialization is not part of the graph.
        """
        if not self.on_gpu:
            return work
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                work()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return graph.replay

    def ranks(self, worker: Callable[["Run"], None], count: int) -> None:
        """Run `worker` in `count` processes, each with its own GPU, connected by torch.distributed. On a CPU there are two.

        If RANK is in the environment, as `torchrun` sets it, this process runs only that rank, so that each rank can have
        its own report.
        """
        count = count if self.on_gpu else RANKS_ON_CPU
        if self.on_gpu and torch.cuda.device_count() < count:
            _stop(f"{self.name}: needs {count} GPUs, and torch finds {torch.cuda.device_count()}; try --device cpu")
        if "RANK" in os.environ:
            if os.environ.get("WORLD_SIZE") != str(count):
                _stop(f"{self.name}: has {count} ranks: start {count} processes, each with its RANK, and WORLD_SIZE={count}")
            _rank(int(os.environ["RANK"]), self, worker, count, "env://")
            return
        with tempfile.TemporaryDirectory(prefix="gapfinder-") as folder:
            # CUDA does not work in a fork of a process that has used it; on a CPU, a fork avoids loading torch again
            method = "spawn" if self.on_gpu else "fork"
            arguments_ = (self, worker, count, f"file://{folder}/meeting")
            multiprocessing.start_processes(_rank, arguments_, nprocs=count, start_method=method)


@contextmanager
def beside(commands: Iterable[list[str]]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Programs that run beside the loop, and end with the block. Their standard output can be read."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        processes.extend(subprocess.Popen(command, stdout=subprocess.PIPE) for command in commands)
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def _rank(rank: int, run: Run, worker: Callable[[Run], None], count: int, meeting: str) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)  # as torchrun does: the ranks would compete for cores if each had a thread per core
    if run.on_gpu:
        run = replace(run, device=torch.device("cuda", rank))
        torch.cuda.set_device(run.device)
    distributed.init_process_group("nccl" if run.on_gpu else "gloo", init_method=meeting, rank=rank, world_size=count)
    worker(replace(run, rank=rank))
    distributed.destroy_process_group()


def _stop(why: str) -> NoReturn:
    print(why, file=sys.stderr)
    raise SystemExit(NO_GPU)


def arguments(script: str, doc: str) -> Run:
    """Parse the command line of a workload. Ends the program if the device is missing."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fixed", dest="variant", action="store_const", const="fixed", default="faulty", help="with the fix")
    parser.add_argument("--control", dest="variant", action="store_const", const="control", help="with a harmless look-alike")
    parser.add_argument("--steps", type=int, default=20, help="steps to time, after the warm-up [default: 20]")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help="cpu uses tiny sizes [default: cuda]")
    chosen = parser.parse_args()
    if chosen.steps < 1:
        parser.error("--steps: time at least one step")
    name = Path(script).stem
    if chosen.device == "cuda" and not torch.cuda.is_available():
        why = "this torch is built without CUDA" if torch.version.cuda is None else "torch finds no CUDA GPU"
        _stop(f"{name}: {why}; run it on a machine with a GPU, or with tiny sizes with --device cpu")
    torch.manual_seed(0)
    return Run(name, chosen.variant, chosen.steps, torch.device(chosen.device))


def image_classifier(width: int) -> nn.Sequential:
    """A small CNN with ten classes. Its first layer has `width` channels."""

    def convolution(channels_in: int, channels_out: int, stride: int) -> nn.Sequential:
        return nn.Sequential(nn.Conv2d(channels_in, channels_out, 3, stride, padding=1), nn.ReLU(inplace=True))

    return nn.Sequential(
        convolution(3, width, 2),
        convolution(width, 2 * width, 1),
        convolution(2 * width, 4 * width, 2),
        convolution(4 * width, 4 * width, 1),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(4 * width, 10),
    )
