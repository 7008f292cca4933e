"""The folder of traces that an agent may ask of."""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from gapfinder.api import Trace
from gapfinder.errors import UsageError
from gapfinder.ingest.manifest import is_fleet
from gapfinder.ingest.nsys.converted import is_folder
from gapfinder.ingest.nsys.other_files import ENDINGS, is_parquet_export
from gapfinder.ingest.nsys.trace import versions
from gapfinder.job.paths import in_order
from gapfinder.opening import open_as
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.stages import silent
from gapfinder.system.paths import real
from gapfinder.units import shortened

MOST_NAME_CHARS = 200  # in an error message
KEPT_OPEN = 2  # traces; the least recently used is closed first
Key = tuple[Path, str | None, str | None, frozenset[tuple[Path, tuple[int, ...]]]]  # the last: the versions of its files


class Folder:
    """The traces in a folder and below it, and nothing else. Ask one question at a time.

    Traces stay open between two questions. One whose files have changed is opened anew.
    """

    def __init__(self, path: Path, memory_limit: str | None, config: Config) -> None:
        self.path = path.resolve()
        self.memory_limit = memory_limit
        self.config = config
        self._open: OrderedDict[Key, Trace] = OrderedDict()

    def names(self) -> list[str]:
        """The traces, as paths below the folder. One to which a link points is named once, by its own path."""
        return [str(path.relative_to(self.path)) for path in in_order({*self._traces()})]

    def file(self, name: str) -> Path:
        """The trace of that name. Raises UsageError for anything else, such as a path or a link that leads out of the folder."""
        path = real(self.path / name) if "\0" not in name else None  # no path has one
        if path is None or not path.is_relative_to(self.path) or path not in self._traces():
            raise UsageError(
                f"there is no trace {shortened(name, MOST_NAME_CHARS)!r} here: list_traces names those that there are"
            )
        return path

    def trace(self, name: str, step: str | None = None, window: str | None = None) -> Trace:
        """The trace, open; the caller leaves it open. The options are those of `gapfinder.open`."""
        path = self.file(name)
        key = (path, step, window, frozenset(versions(path).items()))
        if key not in self._open:
            while len(self._open) >= KEPT_OPEN:
                self._open.popitem(last=False)[1].close()
            self._open[key] = open_as(Trace, path, self.options(step, window), self.config, silent)
        self._open.move_to_end(key)
        return self._open[key]

    def options(self, step: str | None = None, window: str | None = None) -> Options:
        """The options of a question. Raises UsageError."""
        return Options.parse(step, window, None, self.memory_limit)

    def _traces(self) -> Iterator[Path]:
        for path in self.path.rglob("*"):
            tables = [*path.glob("*.parquet")] if path.is_dir() and is_parquet_export(path) else []
            is_trace = bool(tables) or (path.suffix in ENDINGS and path.is_file())
            if not is_trace or is_folder(path.parent) or any(map(is_fleet, path.parents)):
                continue
            if all(real(each).is_relative_to(self.path) for each in (path, *tables)):
                yield real(path)
