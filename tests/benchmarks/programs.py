"""Processes that are run again and again, and what each run took."""

import os
import subprocess
import time
from statistics import median

import click


class Program:
    """A command. `seconds` and `megabytes` are what each run took; with `tells_seconds`, what it prints is its time."""

    def __init__(self, name, command, *, tells_seconds=False):
        self.name, self.command, self._tells = name, list(map(str, command)), tells_seconds
        self.seconds, self.megabytes = [], []

    def run(self):
        begin = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds.append(float(printed) if self._tells else time.perf_counter() - begin)
        # a process inherits the peak of the one that started it: less than the benchmark's own is never seen
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
    """The median of the rounds' own ratios: within a round the machine was the same."""
    return median(a / b for a, b in zip(program.seconds, other.seconds, strict=True))


def megabytes(path):
    return path.stat().st_size / 1e6
