"""Synthetic jobs: one trace for each rank, with collectives that end together and clocks that lie apart."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from synthetic import MS, US, Synthetic, thread

from gapfinder.job.traces import diagnose_job
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config

STARTED = 1_700_000_000 * 1_000_000_000
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
SEND_RECV = "ncclDevKernel_SendRecv"
LAUNCH = 5 * US
LOAD = 1 * MS


@dataclass
class Ranks:
    """Ranks on one true clock, which none of their traces has: `apart` is how much later each session began.

    `host_clock_off` is how wrong the machine's own clock is. In one report (`together`) they are processes of one trace.
    """

    apart: list[int]
    host_clock_off: list[int] = field(default_factory=list)
    together: bool = False

    def __post_init__(self):
        off = self.host_clock_off or [0] * len(self.apart)
        one = Synthetic()
        self.traces = [one if self.together else Synthetic() for _ in self.apart]
        for rank, (trace, apart) in enumerate(zip(self.traces, self.apart, strict=True)):
            if not (self.together and rank):
                trace.session(STARTED + apart + off[rank])
            trace.visible(rank + 1, 0, rank)
        self.at = [10 * MS] * len(self.apart)

    def local(self, rank, at):
        return at - (0 if self.together else self.apart[rank])

    def main(self, rank):
        return thread(1, rank + 1)

    def compute(self, rank, length, name="gemm"):
        """The rank computes from where it is."""
        start = self.local(rank, self.at[rank])
        self.traces[rank].kernel(start + LAUNCH, start + length, (start, start + LAUNCH), name, thread=self.main(rank), gpu=0)
        self.at[rank] += length

    def host(self, rank, length):
        """The CPU works, and the GPU waits for it."""
        start = self.local(rank, self.at[rank])
        self.traces[rank].nvtx("data_load", start, start + length, self.main(rank))
        self.traces[rank].sample(start + length // 2, ("/home/user/loader.py", "load", 12), thread=self.main(rank))
        self.at[rank] += length

    def collective(
        self, ranks, moving=200 * US, name=ALL_REDUCE, stream=20, jitter=(), lost=(), communicator=None, size=0, calls=None
    ):
        """All of them meet: the kernel starts on each when it comes, and ends on all when the last has come and data moved.

        It ends `jitter` later on each; the capture of the ranks in `lost` has not got it. With a `communicator`, NCCL marks it:
        the `calls` of each rank.
        """
        end = max(self.at[rank] for rank in ranks) + LAUNCH + moving
        for place, rank in enumerate(ranks):
            start = self.local(rank, self.at[rank])
            late = jitter[place] if jitter else 0
            if communicator is not None:
                for call in calls[place] if calls else ["ncclAllReduce"]:
                    self.traces[rank].nccl(start - US, start + LAUNCH + US, communicator, size, self.main(rank), call)
            if rank not in lost:
                self.traces[rank].kernel(
                    start + LAUNCH, self.local(rank, end) + late, (start, start + LAUNCH), name,
                    thread=self.main(rank), stream=stream, gpu=0,
                )  # fmt: skip
            self.at[rank] = end + late

    def step(self, rank, start):
        """Marks a step that began at `start` and ends where the rank is."""
        self.traces[rank].nvtx("step", self.local(rank, start) - 1, self.local(rank, self.at[rank]) - 2, self.main(rank))

    def wait(self, rank, since):
        """The CPU waits for the GPU."""
        start, end = self.local(rank, since), self.local(rank, self.at[rank])
        self.traces[rank].call("cudaStreamSynchronize_v3020", start + LAUNCH, end + US, self.main(rank))
        self.at[rank] += 2 * US

    @contextmanager
    def written(self):
        """The traces as files."""
        with TemporaryDirectory() as folder:
            traces = self.traces[:1] if self.together else self.traces
            yield [trace.write(Path(folder) / f"rank{rank}.sqlite") for rank, trace in enumerate(traces)]

    def diagnosed(self):
        with self.written() as paths:
            return diagnose_job(paths, Options(), read_config(), lambda _: None)[0]


def pipeline(apart, *, together=False, **sent):
    """Two stages, and four micro-batches there and back. `sent` is said of all that they send."""
    job = Ranks(apart, together=together)
    for _ in range(6):
        begun = list(job.at)
        for way in ((0, 1), (1, 0)):
            for _ in range(4):
                job.compute(way[0], 2 * MS)
                job.collective(way, moving=50 * US, name=SEND_RECV, **sent)
            job.compute(way[1], 2 * MS)
        for rank in (0, 1):
            job.step(rank, begun[rank])
    return job


def data_parallel(late, steps=6, compute=4 * MS, collective=lambda _: {}, **choices):
    """Steps of loading, computing and an all-reduce. `late(step)` says how much longer each rank loads, ns, by rank.

    `compute` may be a list with a time for each rank; `collective(step)` gives the keywords of the all-reduce.
    """
    job = Ranks([0, 7 * MS], **choices)
    everyone = range(len(job.apart))
    for step in range(steps):
        begun = list(job.at)
        for rank in everyone:
            job.host(rank, LOAD + late(step).get(rank, 0))
            job.compute(rank, compute[rank] if isinstance(compute, list) else compute)
        come = list(job.at)
        job.collective(everyone, **collective(step))
        for rank in everyone:
            job.wait(rank, come[rank])
            job.compute(rank, 1 * MS, "adam")
            job.step(rank, begun[rank])
    return job


def validating(ranks):
    """Four epochs of ten steps; after each, these ranks validate, and their GPUs wait for most of that."""
    job = Ranks([0, 7 * MS])
    for _ in range(4):
        for _ in range(10):
            for rank in (0, 1):
                for kernel in range(40):
                    job.compute(rank, 200 * US, f"gemm_{kernel % 7}")
            job.host(1, 1 * MS)
            job.collective((0, 1))
            for rank in (0, 1):
                job.compute(rank, 200 * US, "multi_tensor_apply_kernel")
        for rank in ranks:
            for kernel in range(60):
                job.at[rank] += 2 * MS
                job.compute(rank, 100 * US, f"gemm_{kernel % 7}")
    return job
