"""Traces and pages that several tests of pages share."""

import random

from synthetic import MS, US, Synthetic

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.report.trace import page_of

EVIL = "<img src=x onerror=\"document.title='pwned'\">"
HOSTILE = [
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "</script><script>document.title='pwned'</script>",
    EVIL,
    "\u202etxet desrever\u2066",
    "long " * 400,
]


def written(trace, file):
    """The page of a synthetic trace, in a file."""
    with trace.analysed() as analysed:
        file.write_text(page_of(analysed, diagnose(analysed)))
    return file


def with_names(names):
    """Steps of 20 ms in which everything that can be named has one of these names after the other."""
    trace = Synthetic()
    for tid, name in enumerate(names, 1):
        trace.thread(tid=tid, name=name, process=name)
    for index in range(3 * len(names)):
        start, name = 20 * MS * index, names[index % len(names)]
        trace.nvtx("step", start, start + 19 * MS)
        trace.nvtx(name, start + MS, start + 12 * MS)
        trace.sample(start + 4 * MS, (f"/home/me/{name}.py", name, 3))
        trace.os(name, start + 2 * MS, start + 3 * MS)
        trace.kernel(start + 6 * MS, start + 11 * MS, (start + 5 * MS, start + 5 * MS + 8 * US), name=name)
        trace.kernel(start + 11 * MS, start + 18 * MS, (start + 5 * MS + 10 * US, start + 5 * MS + 18 * US), name=name)
    return trace


def long_training(steps=300, activities=1000):
    """A training loop at random distances; the worst case for a page, since nothing in it repeats."""
    chance, trace = random.Random(1), Synthetic()
    trace.thread(1)
    cpu = gpu = 0
    for _ in range(steps):
        begin = cpu
        waited = max(cpu + 2 * US, gpu + 3 * US)
        trace.call("cudaStreamSynchronize_v3020", cpu, waited)
        cpu = waited + chance.randrange(200 * US, 900 * US)
        forward = cpu
        for number in range(activities):
            launched, cpu = cpu, cpu + chance.randrange(3_500, 6_500)
            start = max(gpu + chance.randrange(700, 1_500), cpu + chance.randrange(900, 2_500))
            gpu = start + chance.choice([2_100, 3_300, 8_000, 19_000]) + chance.randrange(1_500)
            trace.kernel(start, gpu, (launched, cpu), name=f"elementwise_kernel_{number % 60}")
            cpu += chance.randrange(1_500, 9_000)
        trace.nvtx("forward", forward, cpu - 200)
        trace.nvtx("step", begin, cpu - 100)
    return trace
