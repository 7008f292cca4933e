"""The progress bar, which says how long the rest takes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

QUIET_S = 2.0  # a shorter wait needs no estimate


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
def bar(console: "Console", clock: Callable[[], float] | None = None) -> Iterator[Callable[[str], None]]:
    """The same on a console. It disappears at the end."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(24), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=console, transient=True, get_time=clock) as shown:
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


def time_left(past_s: float, done: float) -> str:
    """About how long the rest takes, where a share is done; nothing while little time is past."""
    if past_s < QUIET_S or not done:
        return ""
    left_s = past_s * (1 - done) / done
    return f"about {left_s:.0f} s left" if left_s < 100 else f"about {left_s / 60:.0f} min left"
