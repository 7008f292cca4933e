"""Traces that are damaged, linked, replaced, and commands that are interrupted, in any order: the promises hold.

No traceback; an exit status that the documents name; inputs as they were; no temporary folder left. By hand it looks for hours:
`python -m pytest tests/damage/test_any_order.py --hypothesis-profile=fuzz`.
"""

import os
import shutil
import signal
import sqlite3
import sys
import tempfile
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from samples import SMALL, full
from variations import ANALYSES

import gapfinder as api
import gapfinder.fleet.engine  # an import of Dask that is interrupted cannot be repeated within one process
from gapfinder.cli.main import main

STATUSES = {0, 1, 2, 3, 130}  # all but 70, which is a defect
KINDS = ("t.sqlite", "kept.duckdb", "kept", "job")
COMMANDS = (
    ("diagnose", "--fail-on", "lost>1%"),
    ("diagnose", "--format", "json", "-o", "OUT"),
    ("report", "-o", "OUT"),
    ("gaps", "--format", "csv", "-o", "OUT"),
    ("whatif", "--without", "host_sync"),
    ("export", "--perfetto", "OUT"),
    ("export", "--parquet", "OUT"),
    ("sql", "SELECT * FROM segments", "-o", "OUT"),
    ("redact", "--force", "-o", "OUT"),
    ("convert", "OUT.duckdb", "--force"),
    ("convert", "OUT", "--force"),
    ("fleet", "--workers", "0", "-o", "LEDGER"),
    ("compare", "IN"),
)
ELSEWHERE = (b"", b"some text\n" * 99, b"SQLite format 3\0" + bytes(99), b"NVIDIA Tegra Profiler Report" + bytes(99))
OUTPUTS = ("out", "IN", "link", "inside", "/dev/null", "/dev/full", "no folder/out")
offsets = st.floats(0, 1, exclude_max=True)


@cache
def originals(trace):
    """A trace as everything that can be read. Removed when the tests end."""
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name)
    shutil.copy(trace, path / "t.sqlite") if trace else full().write(path / "t.sqlite")
    api.convert(path / "t.sqlite", path / "kept.duckdb")
    api.convert(path / "t.sqlite", path / "kept")
    (path / "job").mkdir()
    for rank in "01":
        shutil.copy(path / "t.sqlite", path / "job" / f"rank{rank}.sqlite")
    return folder


@contextmanager
def streams(folder):
    """The standard streams of this process in files: yields what reads them."""
    sys.stdout.flush()
    files = [(folder / name).open("w+b") for name in ("stdout", "stderr")]
    before = [os.dup(number) for number in (1, 2)]
    try:
        for number, file in zip((1, 2), files, strict=True):
            os.dup2(file.fileno(), number)
        yield lambda: [Path(file.name).read_text(errors="replace") for file in files]
    finally:
        for number, kept in zip((1, 2), before, strict=True):
            os.dup2(kept, number)
            os.close(kept)
        for file in files:
            file.close()


def left(status):
    """In place of the end of the process, after which nothing is interrupted."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    sys.exit(status)


class AnyOrder(RuleBasedStateMachine):
    """A folder with inputs, what is done to them, and commands that read them."""

    @initialize(trace=st.sampled_from([None, *SMALL[:2]]))
    def begin(self, trace):
        self.folder = tempfile.TemporaryDirectory()
        here = Path(self.folder.name)
        self.inputs, self.work, self.temporary = here / "inputs", here / "work", here / "temporary"
        shutil.copytree(originals(trace).name, self.inputs)
        self.work.mkdir()
        self.temporary.mkdir()

    def teardown(self):
        self.folder.cleanup()

    def a_file(self, kind, place):
        """One of the files of an input."""
        path = self.inputs / kind
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        return files[int(place * len(files))] if files and files[0].exists() else None

    @rule(kind=st.sampled_from(KINDS), which=offsets, place=offsets, bit=st.integers(0, 7))
    def flip_a_bit(self, kind, which, place, bit):
        if (file := self.a_file(kind, which)) and (content := bytearray(file.read_bytes())):
            content[int(place * len(content))] ^= 1 << bit
            file.write_bytes(content)

    @rule(kind=st.sampled_from(KINDS), which=offsets, place=offsets)
    def cut(self, kind, which, place):
        if file := self.a_file(kind, which):
            file.write_bytes(file.read_bytes()[: int(place * file.stat().st_size)])

    @rule(which=offsets, column=offsets, value=st.sampled_from([None, -1, 2**62, 0.5, "text", b"\xff"]))
    def change_a_row(self, which, column, value):
        with suppress(sqlite3.Error, UnicodeDecodeError), closing(sqlite3.connect(self.inputs / "t.sqlite")) as trace:
            tables = [name for (name,) in trace.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
            if not tables:
                return
            table = tables[int(which * len(tables))]
            columns = [name for (name,) in trace.execute("SELECT name FROM pragma_table_info(?)", (table,))]
            chosen = columns[int(column * len(columns))]
            trace.execute(f'UPDATE "{table}" SET "{chosen}" = ? WHERE rowid = (SELECT max(rowid) FROM "{table}")', (value,))
            trace.commit()

    @rule(kind=st.sampled_from(KINDS))
    def put_behind_a_link(self, kind):
        path, behind = self.inputs / kind, self.inputs / f"behind {kind}"
        if not path.is_symlink() and not behind.exists() and path.exists():
            path.rename(behind)
            path.symlink_to(behind)

    @rule(kind=st.sampled_from(KINDS), content=st.sampled_from(ELSEWHERE))
    def replace(self, kind, content):
        path = self.inputs / kind
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        path.write_bytes(content)

    @rule(
        kind=st.sampled_from(KINDS),
        command=st.sampled_from(COMMANDS),
        output=st.sampled_from(OUTPUTS),
        interrupted_s=st.none() | st.floats(0.01, 0.4),
    )
    def run(self, kind, command, output, interrupted_s):
        path = self.inputs / kind
        before = self.digests()
        status, errors = self.ended(self.arguments(path, command, output), interrupted_s)
        assert status in STATUSES, errors
        assert "Traceback" not in errors
        assert self.digests() == before
        assert list(self.temporary.iterdir()) == []
        assert not [left for left in self.work.rglob("*") if left.name.startswith(".gapfinder-")]
        assert not [left for left in self.inputs.rglob("*") if left.name.startswith(".gapfinder-")]

    def arguments(self, path, command, output):
        (self.work / "link").unlink(missing_ok=True)
        (self.work / "link").symlink_to(path)
        places = {"out": self.work / "out", "IN": path, "link": self.work / "link", "inside": path / "new"}
        place = str(places.get(output, output))
        database = place if output == "IN" else f"{place}.duckdb"  # beside an input it may be written
        words = {"OUT": place, "OUT.duckdb": database, "LEDGER": str(self.work / "ledger"), "IN": str(path)}
        first, *rest = (words.get(word, word) for word in command)
        return [first, str(path), *rest]

    def ended(self, arguments, interrupted_s):
        """The exit status of a command and what it says on standard error."""
        argv, here = ["gapfinder", *arguments], Path.cwd()
        os.chdir(self.work)
        alarm = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            with (
                streams(Path(self.folder.name)) as read,
                mock.patch.object(sys, "argv", argv),
                mock.patch.object(os, "_exit", left),
                mock.patch.object(tempfile, "tempdir", str(self.temporary)),
            ):
                signal.setitimer(signal.ITIMER_REAL, interrupted_s or 0)
                try:
                    main()
                except SystemExit as end:
                    status = end.code
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                return status, read()[1]
        finally:
            signal.signal(signal.SIGALRM, alarm)
            os.chdir(here)

    def digests(self):
        """Of every file and link among the inputs."""
        return {
            path: str(path.readlink()) if path.is_symlink() else sha256(path.read_bytes()).hexdigest()
            for path in self.inputs.rglob("*")
            if path.is_symlink() or path.is_file()
        }


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(ANALYSES, stateful_step_count=8)
