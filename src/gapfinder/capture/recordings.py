"""What a diagnosis needs to be recorded, and the flags of `nsys profile` that record it: here and nowhere else."""

from typing import NamedTuple

from gapfinder.capture.abilities import Abilities

PYTHON_SAMPLES_HZ = 1000  # enough to see a line that runs for 3 ms; nsys 2023.4 and 2025.3 warn above 2000


class Recording(NamedTuple):
    """One kind of events: recorded by the value `trace` of --trace, or by `flags`. `lost` says what is unknown without it.

    Where it costs or risks too much to be made always, `option` of `gapfinder capture` asks for it, and `help` describes that.
    """

    what: str
    lost: str
    trace: str = ""
    flags: tuple[str, ...] = ()
    samples_cpus: bool = False
    option: str = ""
    help: str = ""


RECORDINGS = (
    Recording("CUDA calls, kernels and copies", "everything: there is no diagnosis without them", trace="cuda"),
    Recording("NVTX ranges", "the names of steps and phases", trace="nvtx"),
    Recording("OS calls", "waits for locks, files and other threads: they look like plain CPU code", trace="osrt"),
    Recording("cuDNN calls", "their names in Nsight's timeline", trace="cudnn"),
    Recording("cuBLAS calls", "their names in Nsight's timeline", trace="cublas"),
    Recording("the GIL", "which thread held the GIL while another waited", trace="python-gil"),
    Recording(
        "Python samples",
        "the source lines of a cause",
        flags=("--python-sampling=true", f"--python-sampling-frequency={PYTHON_SAMPLES_HZ}"),
    ),
    Recording(
        "CPU samples",
        "the library in which a thread ran: a compiler, a driver, the interpreter",
        flags=("--sample=process-tree",),
        samples_cpus=True,
    ),
    Recording(
        "context switches", "when a thread could run, and had no core", flags=("--cpuctxsw=process-tree",), samples_cpus=True
    ),
)
FORKS = Recording(
    "forked workers",
    "why DataLoader workers are slow",
    flags=("--trace-fork-before-exec=true",),
    option="--follow-forks",
    help="Record forked DataLoader workers, too. nsys warns that it may crash them.",
)
OPTIONAL = (
    Recording(
        "nodes of CUDA graphs",
        "gaps inside CUDA graphs",
        flags=("--cuda-graph-trace=node",),
        option="--graph-nodes",
        help="Record each kernel of a CUDA graph. This slows the program more than recording whole graphs.",
    ),
    FORKS,
    Recording(
        "page faults of managed memory",
        "which code touches it, and how long that waits",
        flags=("--cuda-um-cpu-page-faults=true", "--cuda-um-gpu-page-faults=true"),
        option="--page-faults",
        help="Record the page faults of managed memory. This slows a program that has many.",
    ),
    Recording(
        "GPU context switches",
        "how long other programs hold the GPU",
        flags=("--gpuctxsw=true",),
        option="--gpu-switches",
        help="Record which process holds the GPU. Drivers may allow that to root alone.",
    ),
)


def table() -> str:
    """The recordings as a Markdown table, as the guide to capturing shows it."""
    rows = [
        f"| `{'` `'.join(recording.flags) or f'--trace={recording.trace}'}` | {recording.what} |"
        for recording in (*RECORDINGS, *OPTIONAL)
    ]
    return "\n".join(["| flag of `nsys profile` | records |", "| --- | --- |", *rows, ""])


class LeftOut(NamedTuple):
    """A recording that cannot be made, and why."""

    recording: Recording
    why: str


def split(wanted: tuple[Recording, ...], abilities: Abilities) -> tuple[list[Recording], list[LeftOut]]:
    """Split the recordings into those that this nsys and machine can make, and those that they cannot."""
    can: list[Recording] = []
    cannot: list[LeftOut] = []
    for recording in wanted:
        why = _why_not(recording, abilities)
        if why:
            cannot.append(LeftOut(recording, why))
        else:
            can.append(recording)
    return can, cannot


def flags(recordings: list[Recording]) -> list[str]:
    """The flags of `nsys profile` that make exactly these recordings."""
    traces = ",".join(recording.trace for recording in recordings if recording.trace)
    rest = [flag for recording in recordings for flag in recording.flags]
    # nsys turns both on by default, even where they fail
    off = [flag for flag in ("--sample=none", "--cpuctxsw=none") if not any(f.startswith(flag[:-4]) for f in rest)]
    return [f"--trace={traces}", *rest, *off]


def _why_not(recording: Recording, abilities: Abilities) -> str:
    if recording.trace and recording.trace not in abilities.traces:
        return f"nsys {abilities.version} has no --trace={recording.trace}"
    missing = [name for flag in recording.flags if (name := flag.partition("=")[0]) not in abilities.options]
    if missing:
        return f"nsys {abilities.version} has no {missing[0]}"
    if recording.samples_cpus and not abilities.samples_cpus:
        return "this machine does not allow it: see `nsys status --environment`"
    return ""
