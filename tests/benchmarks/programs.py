"""Runs a program several times, and keeps the time and the memory of each run."""

import os
import subprocess
import time
from statistics import median

import click


class Program:
    """A command. `seconds` and `megabytes` have one value per run. With `prints_seconds`, the program prints its own time."""

    def __init__(self, name, command, *, prints_seconds=False):
        self.name, self.command, self._prints_seconds = name, list(map(str, command)), prints_seconds
        self.seconds, self.megabytes = [], []

    def run(self):
        begin = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds.append(float(printed) if self._prints_seconds else time.perf_counter() - begin)
        # a process inherits the peak memory of its parent, so a value below that of this process is not seen
        self.megabytes.append(usage.ru_maxrss * 1024 / 1e6)
        if status:
            raise click.ClickException(f"{' '.join(self.command)} fails: {process.stderr.read().decode()}")

    @property
    def median_s(self):
        return median(self.seconds)

    @property
    def peak_mb(self):
        return max(self.megabytes)


def ratio(program, other):
    """The median of the ratios within each round: in one round, the load of the machine is about the same."""
    return median(a / b for a, b in zip(program.seconds, other.seconds, strict=True))


def megabytes(path):
    return path.stat().st_size / 1e6
