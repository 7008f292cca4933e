"""The progress bar, which says how long the rest takes."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

QUIET_S = 2.0  # a shorter wait needs no estimate
FEWEST_LINES = 5  # of a terminal that can spare one; one that does not know its size says 0
# What terminals understand since the VT100: save and restore the cursor, and which lines scroll.
SAVE, RESTORE, SCROLL_ABOVE, SCROLL_ALL = "\x1b7", "\x1b8", "\x1b[1;{}r", "\x1b[r"


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A function that shows what goes on, and how far it is, on standard error if that is a terminal.

    It takes a few words, which are a `gapfinder.pipeline.stages.Stage` where the share that is done is known.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    from rich.console import Console

    with bar(Console(stderr=True)) as update:
        yield update


@contextmanager
def progress_below() -> Iterator[Callable[[str], None]]:
    """The same, on the last line of the terminal, which does not scroll: another program writes above it as if it were not there.

    Each time it is drawn by one write, which begins by saving the cursor of the other program and ends by restoring it.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb" or _size().lines < FEWEST_LINES:
        yield lambda _: None
        return

    from rich.console import Console

    console = Console(stderr=True)
    shown = _bar(console, None)
    task = shown.add_task("starting", total=1.0, left="")
    began_s = shown.get_time()

    def draw(line: str, scrolled: str) -> None:
        lines = _size().lines
        region = scrolled.format(lines - 1)
        os.write(sys.stderr.fileno(), f"{SAVE}{region}\x1b[{lines};1H\x1b[2K{line}{RESTORE}".encode())

    def update(doing: str) -> None:
        done = getattr(doing, "done", None)
        shown.update(task, description=doing, completed=done or 0.0, left=time_left(shown.get_time() - began_s, done or 0.0))
        console.width = _size().columns - 1  # what reaches the last column may start a new line
        with console.capture() as capture:
            console.print(shown.get_renderable())
        draw(capture.get().splitlines()[0], SCROLL_ABOVE)

    sys.stderr.flush()
    os.write(sys.stderr.fileno(), b"\n\x1b[1A")  # the last line becomes free
    try:
        yield update
    finally:
        draw("", SCROLL_ALL)


@contextmanager
def bar(console: "Console", clock: Callable[[], float] | None = None) -> Iterator[Callable[[str], None]]:
    """The same on a console. It disappears at the end."""
    with _bar(console, clock) as shown:
        task = shown.add_task("starting", total=1.0, left="")
        began_s = shown.get_time()

        def update(doing: str) -> None:
            done = getattr(doing, "done", None)
            if done is None:
                shown.update(task, description=doing, refresh=True)
            else:
                left = time_left(shown.get_time() - began_s, done)
                shown.update(task, description=doing, completed=done, left=left, refresh=True)

        yield update


def _size() -> os.terminal_size:
    return os.get_terminal_size(sys.stderr.fileno())


def _bar(console: "Console", clock: Callable[[], float] | None) -> "Progress":
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(24), TextColumn("{task.fields[left]}"))
    return Progress(*columns, console=console, transient=True, get_time=clock)


def time_left(past_s: float, done: float) -> str:
    """About how long the rest takes, where a share is done; nothing while little time is past."""
    if past_s < QUIET_S or not done:
        return ""
    left_s = past_s * (1 - done) / done
    return f"about {left_s:.0f} s left" if left_s < 100 else f"about {left_s / 60:.0f} min left"
