"""The standard streams as the commands need them, however gapfinder was started."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# For each stream that the caller closed, how the null device is opened in its place: reading input and writing output then fail
# as an error of the system, and errors are written nowhere. Without it, the next file that is opened would become the stream.
IN_PLACE = (os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)
OUTPUT, ERRORS = 1, 2


class _Output(io.FileIO):
    """Standard output. Its reader may end early, as `head` does: what nobody reads is not written, and that is no error."""

    ignored: type[OSError] = BrokenPipeError

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except self.ignored:
            return memoryview(data).nbytes


class _Errors(_Output):
    """Standard error. There is nowhere to say that it cannot be written."""

    ignored = OSError


@contextmanager
def standard_streams() -> Iterator[None]:
    """Standard streams that are all there. No text fails for its characters: what the encoding of a terminal lacks becomes `?`.

    Where no terminal reads them, output and errors are UTF-8.
    """
    for number, mode in enumerate(IN_PLACE):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # noqa: FBT003  it gets the lowest number that is free
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  a number, for as long as the program runs
    sys.stdout, sys.stderr = _stream(_Output, OUTPUT, sys.stdout), _stream(_Errors, ERRORS, sys.stderr)
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stdin, sys.stdout, sys.stderr = before


def _stream(kind: type[_Output], number: int, before: TextIO | None) -> io.TextIOWrapper:
    terminal = os.isatty(number)
    encoding = before.encoding if terminal and before else "utf-8"
    raw = io.BufferedWriter(kind(number, "w", closefd=False))
    return io.TextIOWrapper(raw, encoding, errors="replace", line_buffering=terminal or number == ERRORS)
