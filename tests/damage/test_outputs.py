"""What a command writes never takes the place of what it reads, and is there whole or not at all."""

import os
import shutil
import stat
from hashlib import sha256
from pathlib import Path

import pytest
from outcome import UNUSABLE, WRONG_USAGE, assert_refused
from samples import full
from variations import some

import gapfinder as api
from gapfinder.errors import OutputError
from gapfinder.system.writing import written


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A trace, a Parquet folder of it, a job of two, a config and a file of SQL."""
    folder = tmp_path_factory.mktemp("inputs")
    full().write(folder / "t.sqlite")
    api.convert(folder / "t.sqlite", folder / "parquet")
    (folder / "job").mkdir()
    for rank in "01":
        shutil.copy(folder / "t.sqlite", folder / "job" / f"rank{rank}.sqlite")
    (folder / "config.toml").write_text("[names]\n")
    (folder / "q.sql").write_text("SELECT 1")
    return folder


@pytest.fixture
def inputs(made, tmp_path):
    return shutil.copytree(made, tmp_path / "inputs")


def digests(folder):
    return {path: sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("diagnose", "t.sqlite"), "t.sqlite"),
        (("report", "link"), "t.sqlite"),
        (("diagnose", "t.sqlite"), "link"),
        (("diagnose", "t.sqlite"), "hard"),
        (("diagnose", "job"), "job/rank0.sqlite"),
        (("diagnose", "job"), "job/new.txt"),
        (("report", "parquet"), "parquet/kernels.parquet"),
        (("gaps", "parquet"), "parquet/export/new.csv"),
        (("compare", "t.sqlite", "parquet"), "parquet/new.html"),
        (("compare", "job", "job"), "job/new.html"),
        (("diagnose", "t.sqlite", "--config", "config.toml"), "config.toml"),
        (("sql", "t.sqlite", "-f", "q.sql"), "q.sql"),
        (("redact", "parquet", "--force"), "parquet/new.sqlite"),
        (("redact", "t.sqlite", "--force"), "/dev/null"),
        (("diagnose", "t.sqlite"), "/dev/full"),
        (("diagnose", "t.sqlite"), "pipe"),
        (("diagnose", "t.sqlite"), "to_pipe"),
        (("diagnose", "t.sqlite"), "to_nowhere"),
        (("gaps", "links"), "linked/StringIds.parquet"),
        (("fleet", "file://{folder}/parquet"), "parquet/fleet"),
        (("redact", "parquet", "--names", "--key", "parquet/new.key"), "new.sqlite"),
    ],
)
def test_outputs_that_are_refused(inputs, command_line, monkeypatch, arguments, output):
    monkeypatch.chdir(inputs)
    (inputs / "link").symlink_to("t.sqlite")
    os.link("t.sqlite", "hard")
    shutil.copytree("parquet/export", "linked")
    Path("links").mkdir()
    for table in Path("linked").iterdir():
        Path("links", table.name).symlink_to(table.absolute())
    before = digests(inputs)
    os.mkfifo("pipe")
    (inputs / "to_pipe").symlink_to("pipe")
    (inputs / "to_nowhere").symlink_to("no folder/t.txt")
    assert_refused(command_line(*(part.format(folder=inputs) for part in arguments), "-o", output), WRONG_USAGE)
    for name in ("to_pipe", "pipe", "to_nowhere"):
        (inputs / name).unlink()
    assert digests(inputs) == before


@pytest.mark.parametrize("target", ["parquet/new", "parquet", "."])
def test_conversions_that_are_refused(inputs, command_line, monkeypatch, target):
    monkeypatch.chdir(inputs)
    before = digests(inputs)
    assert_refused(command_line("convert", "parquet", target, "--force"), WRONG_USAGE)
    assert digests(inputs) == before


def test_two_formats_in_one_file(inputs, command_line):
    one = inputs / "one"
    assert_refused(command_line("export", inputs / "t.sqlite", "--csv", one, "--parquet", one), WRONG_USAGE)


def test_no_name_of_a_database_is_too_long(inputs, command_line):
    """DuckDB and SQLite write journals beside it, with longer names."""
    for command, ending in (("redact", ".sqlite"), ("convert", ".duckdb")):
        long = inputs / ("x" * (255 - len(ending)) + ending)
        target = ("-o", long) if command == "redact" else (long,)
        assert command_line(command, inputs / "t.sqlite", *target).status == 0
        assert long.is_file()


def test_a_key_in_place_of_a_copy(inputs, command_line):
    """Refused before the key is made."""
    one = inputs / "one"
    assert_refused(command_line("redact", inputs / "t.sqlite", "--names", "--key", one, "-o", one), WRONG_USAGE)
    assert not one.exists()


def test_a_file_is_replaced_where_it_is(inputs, command_line):
    """Through a link, with the mode that it had; no name is too long."""
    real = inputs / ("x" * 255)
    real.touch(0o640)
    (inputs / "link").symlink_to(real)
    assert command_line("diagnose", inputs / "t.sqlite", "-o", inputs / "link").status == 0
    assert real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert (inputs / "link").is_symlink()


def test_what_fails_leaves_the_old_file(tmp_path):
    kept = tmp_path / "kept"
    kept.write_text("old")

    def fail(error):
        with written(kept) as new:
            new.write_text("half")
            raise error

    with pytest.raises(OutputError, match="kept cannot be written: No space left"):
        fail(OSError(28, "No space left on device"))
    with pytest.raises(ZeroDivisionError):
        fail(ZeroDivisionError())
    assert kept.read_text() == "old"
    assert list(tmp_path.iterdir()) == [kept]


@pytest.mark.parametrize("name", some(2, ["page.html", "gaps.parquet", "gaps.csv", "timeline.json.gz"]))
def test_a_folder_that_is_gone_meanwhile(inputs, command_line, monkeypatch, name):
    """As a disk that is full: no traceback, and one line."""
    monkeypatch.setattr("gapfinder.system.writing.scratch", no_room)
    output = inputs / name
    kind = {".html": ("report",), ".parquet": ("export",), ".csv": ("export",), ".gz": ("export",)}[output.suffix]
    option = {".html": "-o", ".parquet": "--parquet", ".csv": "--csv", ".gz": "--perfetto"}[output.suffix]
    assert_refused(command_line(*kind, inputs / "t.sqlite", option, output), UNUSABLE)
    assert not output.exists()


def no_room(*, beside):
    raise OSError(28, "No space left on device", str(beside))
