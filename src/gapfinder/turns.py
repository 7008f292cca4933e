"""Lets two threads share files of which some need others."""

from collections.abc import Callable, Collection, Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from threading import Condition


class Turns:
    """Files, each to be run once, after all those that it needs, which `needs` gives for every one.

    Of those that can be run, the leading thread takes the one for which most others wait, and the helping thread what is left.
    """

    def __init__(self, needs: Mapping[Path, Collection[Path]]) -> None:
        self._waiting = dict.fromkeys(needs, 0)
        for file in reversed([*TopologicalSorter(needs).static_order()]):
            for needed in needs[file]:
                self._waiting[needed] += 1 + self._waiting[file]
        self._graph = TopologicalSorter(needs)
        self._graph.prepare()
        self._ready = [*self._graph.get_ready()]
        self._kept = 1  # for the leading thread, while it has none
        self._ended = False
        self._changed = Condition()

    def lead(self, run: Callable[[Path], None]) -> None:
        """Run files in this thread until none is left, or one failed in either thread."""
        self._share(run, leading=True)

    def help(self, run: Callable[[Path], None]) -> None:
        """As `lead`, in the other thread."""
        self._share(run, leading=False)

    def _share(self, run: Callable[[Path], None], *, leading: bool) -> None:
        try:
            while file := self._next(leading=leading):
                run(file)
                self._finish(file, leading=leading)
        except BaseException:
            self.interrupt()
            raise

    def interrupt(self) -> None:
        """Begin nothing more in either thread."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _next(self, *, leading: bool) -> Path | None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._ended or not self._graph.is_active() or len(self._ready) > (0 if leading else self._kept)
            )
            if self._ended or not self._ready:
                return None
            file = (max if leading else min)(self._ready, key=self._waiting.__getitem__)
            self._ready.remove(file)
            if leading:
                self._kept = 0
            return file

    def _finish(self, file: Path, *, leading: bool) -> None:
        with self._changed:
            self._graph.done(file)
            self._ready += self._graph.get_ready()
            if leading:
                self._kept = 1
            self._changed.notify_all()
