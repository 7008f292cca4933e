"""Where a trace may lie, and under what name: it is read whatever it is called, or refused."""

import os
import shutil

import pytest
from outcome import UNUSABLE, WRONG_USAGE, assert_refused, outcome
from samples import full

import gapfinder as api
from gapfinder.diagnosis.diagnosis import Diagnosis

NAMES = ("it's", 'say "hi"', "x;y", "two\nlines", "a[b]*?", "Zeit-ü-时间 \u202e 50%25#", "{a,b}")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A trace as each kind of thing that can be read."""
    folder = tmp_path_factory.mktemp("kinds")
    path = full().write(folder / "t.sqlite")
    for kind in ("kept", "kept.duckdb"):
        api.convert(path, folder / kind, config=os.devnull)
    return folder


@pytest.mark.thorough
def test_folders_of_odd_names(kept, tmp_path):
    """A Parquet folder, each folder of its path beside one that its name would match as a pattern."""
    path = tmp_path.joinpath(*NAMES)
    shutil.copytree(kept / "kept" / "export", path)
    for folder in path.relative_to(tmp_path).parents:
        (tmp_path / folder / "ab").mkdir()
    assert isinstance(outcome(path), Diagnosis)


@pytest.mark.thorough
def test_a_conversion_of_an_odd_name(kept, tmp_path, command_line):
    name = 'it\'s; "two\nlines" Zeit-ü-时间'
    done = command_line("convert", kept / "t.sqlite", tmp_path / f"{name}.duckdb")
    assert (done.status, done.errors.count("\n")) == (0, 1)
    assert isinstance(outcome(tmp_path / f"{name}.duckdb"), Diagnosis)
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.duckdb"]


def test_names_that_duckdb_cannot_open(kept, tmp_path, command_line):
    """It knows UTF-8 only, and takes ? for the beginning of options."""
    odd = tmp_path / os.fsdecode(b"\xff")
    odd.mkdir()
    assert_refused(command_line("convert", kept / "t.sqlite", odd / "x.duckdb"), WRONG_USAGE)
    assert_refused(command_line("redact", kept / "t.sqlite", "-o", odd / "x.sqlite"), WRONG_USAGE)
    shutil.copy(kept / "kept.duckdb", odd)
    assert_refused(command_line("diagnose", odd / "kept.duckdb"))
    shutil.copytree(kept / "kept", odd / "kept")
    assert_refused(command_line("diagnose", odd / "kept"))
    trace = shutil.copy(kept / "t.sqlite", odd / "\udcff.sqlite")
    assert command_line("convert", trace, tmp_path / "converted").status == 0
    asked = tmp_path / "what?"
    asked.mkdir()
    assert command_line("convert", kept / "t.sqlite", asked / "x.duckdb").status in {0, UNUSABLE}


def test_what_is_no_file(tmp_path, command_line):
    """An empty folder, a pipe, a socket's kind of thing, and links that lead in a circle or nowhere."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "back")
    (tmp_path / "back").symlink_to(tmp_path / "loop")
    (tmp_path / "nowhere").symlink_to(tmp_path / "not there")
    for path in ("folder", "pipe", "loop", "nowhere", "pipe/x.sqlite", "loop/x.sqlite"):
        assert_refused(command_line("diagnose", tmp_path / path))
        assert_refused(command_line("convert", tmp_path / path, tmp_path / "t.duckdb"))
    assert_refused(command_line("diagnose", "/dev/null"))
    for arguments in (["diagnose", "x" * 5000], ["compare", tmp_path / ("x" * 300), tmp_path], ["fleet", "x" * 300, "-o", "y"]):
        assert_refused(command_line(*arguments), WRONG_USAGE)


@pytest.mark.thorough
def test_a_folder_that_holds_what_is_no_file(kept, tmp_path, command_line):
    """A table that is a folder, a pipe, or a link in a circle."""
    for number, make in enumerate((lambda path: path.mkdir(), os.mkfifo, lambda path: path.symlink_to(path))):
        folder = tmp_path / str(number)
        shutil.copytree(kept / "kept" / "export", folder)
        (folder / "OSRT_API.parquet").unlink()
        make(folder / "OSRT_API.parquet")
        done = command_line("diagnose", folder)
        assert done.status in {0, UNUSABLE}


def test_a_link_to_a_trace(kept, tmp_path):
    (tmp_path / "link").symlink_to(kept / "t.sqlite")
    assert isinstance(outcome(tmp_path / "link"), Diagnosis)
