"""Runs another program to its end, and returns what it printed."""

import errno
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ANSWER_S = 120  # for a program that is asked for its version or its options, on a busy machine


def ran(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None, *, soon: bool = True
) -> subprocess.CompletedProcess[str]:
    """The exit status and the output of a program, whatever bytes it printed.

    Raises OSError if it cannot be run, or does not end in time; with `soon` false, it may take any time.
    """
    # into files: a program that this one started may hold a pipe open for ever
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            done = subprocess.run(
                command, stdout=output, stderr=errors, check=False, env=environment, timeout=ANSWER_S if soon else None
            )
        except subprocess.TimeoutExpired as error:
            raise OSError(errno.ETIMEDOUT, f"it did not end within {ANSWER_S} s") from error
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return subprocess.CompletedProcess(command, done.returncode, *texts)
