"""One bad trace, name or file is one bad row, and no credential gets into the folder of a fleet."""

import os
import shutil

import polars as pl
import pytest
from runs import run
from traces import FIXTURES
from variations import some

from gapfinder.errors import UsageError
from gapfinder.fleet import engine, task
from gapfinder.fleet.files import NO_RANK
from gapfinder.fleet.folder import FleetFolder
from gapfinder.fleet.naming import Naming
from gapfinder.fleet.open import open_fleet
from gapfinder.fleet.task import Setup, examine, unreadable
from gapfinder.fleet.traces import FleetTrace
from gapfinder.fleet.urls import unsigned, without_credentials
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config

SIGNED = "https://me:secret@host:8443/runs/job=a/rank3.nsys-rep?X-Amz-Signature={}&X-Amz-Date={}&version=2"
SHOWN = "https://host:8443/runs/job=a/rank3.nsys-rep"


@pytest.fixture
def setup():
    return Setup.of(Options(), read_config())


def named(url, name="t"):
    return FleetTrace(name, url, 1, "now", "job", 0)


def test_addresses_lose_what_is_secret():
    url = SIGNED.format("s3cr3t", "today")
    assert without_credentials(f"403 for {url} and '{url}'") == f"403 for {SHOWN} and '{SHOWN}'"
    assert unsigned(url) == f"{SHOWN}?version=2"
    for name in ("/a/b?c=d#e", "file:///a/b?c=d#e", "s3://bucket/a?b#c"):
        assert unsigned(name) == name
    for secret in (
        "s3://ID:a/s3cr3t@bucket/x",
        "ftp://u:s3cr3t?x@bucket/x",
        "ftp://bucket/x#token=s3cr3t",
        "s3://s3cr3t@bucket/x",
    ):
        assert without_credentials(f"403 for {secret}") == f"403 for {secret.partition('://')[0]}://bucket/x"
    for public in ("http://host:8080/run@2/x", "s3://bucket/a#1.sqlite"):
        assert without_credentials(public) == public


def test_a_new_signature_is_no_new_trace():
    monday, tuesday = (named(SIGNED.format(day, day)) for day in ("monday", "tuesday"))
    other = named(SIGNED.format("monday", "monday").replace("version=2", "version=3"))
    assert (monday.key, monday.identity("")) == (tuesday.key, tuesday.identity(""))
    assert monday.key != other.key


def test_no_credential_is_kept(tmp_path, setup):
    trace = named(SIGNED.format("s3cr3t", "today"), SHOWN)
    for why in (f"403 Forbidden for {trace.url}", f"cannot connect to {trace.url.replace('&', '%26')}"):
        (tmp_path / "row.parquet").write_bytes(unreadable(trace, setup, why))
        error = pl.read_parquet(tmp_path / "row.parquet")["error"][0]
        assert "secret" not in error
        assert "s3cr3t" not in error
        assert SHOWN in error
    for address in ("nowhere://me:secret@host/x?sig=s3cr3t", "ftp://me:secret?x@127.0.0.1/x"):
        with pytest.raises(UsageError) as failed:
            run([address], tmp_path / "fleet")
        assert "s3cr3t" not in str(failed.value)
        assert "secret" not in str(failed.value)


def test_a_panic_is_a_row(tmp_path, setup, monkeypatch):
    class Panic(BaseException):
        """As polars raises."""

    def panic(*_, **__):
        raise Panic("out of range")

    monkeypatch.setattr(task, "_results", panic)
    (tmp_path / "t.sqlite").touch()
    (tmp_path / "row.parquet").write_bytes(examine(named(f"file://{tmp_path}/t.sqlite"), setup))
    assert "out of range" in pl.read_parquet(tmp_path / "row.parquet")["error"][0]


def test_names_that_no_file_system_or_database_likes(tmp_path):
    bad = tmp_path / "traces"
    for folder in ("é" * 120, os.fsdecode(b"\xff"), "a%b=c/d", "job=x'y", "rank=99999999999"):
        (bad / folder).mkdir(parents=True)
        for name in ("rank12345678901234567890.sqlite", "rank7.sqlite", os.fsdecode(b"rank8\xff.sqlite")):
            (bad / folder / name).write_bytes(b"no trace")
    kept = tmp_path / "fleet"
    assert run([bad / "**/*.sqlite"], kept) == 15
    with open_fleet(kept) as opened:
        assert opened.rows("SELECT count(*) AS traces FROM bad_traces") == [{"traces": 15}]
        assert {row["rank"] for row in opened.rows('SELECT "rank" FROM bad_traces')} == {None, 7, 8}
    assert run([bad / "**/*.sqlite"], kept) == 0


def test_a_name_with_colons_is_no_archive(tmp_path, monkeypatch):
    """Also that of the current folder."""
    here = tmp_path / "a::b"
    here.mkdir()
    for name in ("x::error::.sqlite", "file::y.sqlite"):
        (here / name).symlink_to(FIXTURES / "item_broken.sqlite")
    monkeypatch.chdir(here)
    assert run(["*.sqlite"], tmp_path / "fleet") == 2
    with open_fleet(tmp_path / "fleet") as opened:
        assert opened.rows("SELECT trace, error FROM bad_traces") == []


def test_jobs_that_are_cut_stay_apart():
    jobs = {Naming().of(f"job={'é' * 120}{end}/rank0.sqlite")[0] for end in "ab"}
    assert len(jobs) == 2


@pytest.fixture
def copied(kept, tmp_path):
    return shutil.copytree(kept, tmp_path / "fleet")


@pytest.mark.parametrize("content", some(1, [b"", b"PAR1" * 10, "half", "other", "twice"]))
def test_a_damaged_file_is_written_again(fleet, copied, content, command_line):
    """Until then it is left out, and named."""
    rows = "SELECT count(*) AS n FROM traces"
    file = next(copied.glob("*/*/*.parquet"))
    with open_fleet(copied) as opened:
        before = opened.rows(rows)[0]["n"] + opened.rows("SELECT count(*) AS n FROM bad_traces")[0]["n"]
    if content == "other":
        pl.DataFrame({"x": [1]}).write_parquet(file)
    elif content == "twice":
        pl.concat([pl.read_parquet(file, hive_partitioning=False)] * 2).write_parquet(file)
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] if content == "half" else content)
    with open_fleet(copied) as opened:
        assert opened.damaged == [file]
        left = opened.rows(rows)[0]["n"] + opened.rows("SELECT count(*) AS n FROM bad_traces")[0]["n"]
        assert left == before - 1
    done = command_line("sql", copied, rows)
    assert (done.status, done.errors.count("\n")) == (0, 1)
    assert f"{file} is damaged" in done.errors
    assert run([fleet[0] / "**/*.sqlite"], copied) == 1
    with open_fleet(copied) as opened:
        assert opened.damaged == []


@pytest.mark.parametrize("column", some(2, ["devices", "ledger", "causes", "step_totals", "step_ns"]))
def test_a_row_that_lacks_something_is_damaged(copied, column):
    """As another program may have written it."""
    file = next(file for file in copied.glob("*/*/*.parquet") if pl.read_parquet(file)["error"][0] is None)
    row = pl.read_parquet(file)
    row.with_columns(pl.lit(None, row.schema[column]).alias(column)).write_parquet(file)
    with open_fleet(copied) as opened:
        assert opened.damaged == [file]


LARGE = (1 << 63) - 1
DEVICE = {"gpu": 0, "name": "x", "window_ns": LARGE, "compute_ns": LARGE}


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("started_utc_ns", LARGE),
        ("started_utc_ns", -LARGE),
        ("devices", [DEVICE, DEVICE | {"gpu": 1}]),
        ("step_ns", float("inf")),
    ],
)
def test_a_row_with_numbers_that_no_trace_has_is_damaged(copied, column, value):
    file = next(file for file in copied.glob("*/*/*.parquet") if pl.read_parquet(file)["error"][0] is None)
    row = pl.read_parquet(file)
    row.with_columns(pl.Series(column, [value], row.schema[column])).write_parquet(file)
    with open_fleet(copied) as opened:
        assert opened.damaged == [file]
        assert opened.rows("SELECT * FROM jobs")


def test_a_job_that_is_called_as_no_job(tmp_path, setup):
    kept = FleetFolder(tmp_path / "fleet")
    trace = FleetTrace("t", "file:///t", 1, "now", NO_RANK, 0)
    kept.write(trace, unreadable(trace, setup, "no"))
    with open_fleet(tmp_path / "fleet") as opened:
        assert [row["job"] for row in opened.rows("SELECT job FROM traces")] == [NO_RANK]


def test_copies_and_foreign_causes_stop_no_job(tmp_path):
    """A rank that is there twice waits for nobody twice; and another run may have had causes of its own."""
    for number, rank in enumerate((0, 1, 0)):
        shutil.copy(FIXTURES / f"straggler_rank{rank}.sqlite", tmp_path / f"rank{number}.sqlite")
    told = []
    for traces, examined in (("rank[01].sqlite", 2), ("rank*.sqlite", 1)):
        assert run([tmp_path / traces], tmp_path / "fleet") == examined
        with open_fleet(tmp_path / "fleet") as opened:
            told.append(opened.rows("SELECT late_rank, headline FROM jobs"))
    assert told[0] == told[1]


def test_a_rank_that_an_older_run_left(copied):
    """A folder of a rank that is too large stops nobody."""
    file = next(copied.glob("*/*/*.parquet"))
    wrong = file.parent.with_name("rank=99999999999")
    file.parent.rename(wrong)
    with open_fleet(copied) as opened:
        assert opened.damaged == sorted(wrong.iterdir())


def test_a_second_run_is_told_to_wait(copied):
    with pytest.raises(UsageError, match="another run of gapfinder fleet writes"):
        _two = FleetFolder(copied), FleetFolder(copied)
    FleetFolder(copied)


def test_a_fleet_lies_in_no_trace(tmp_path):
    trace = tmp_path / "trace"
    trace.mkdir()
    (trace / "StringIds.parquet").write_bytes(b"")
    with pytest.raises(UsageError, match="lies in"):
        run([trace], trace / "fleet")
    assert [path.name for path in trace.iterdir()] == ["StringIds.parquet"]


def test_workers_that_cannot_start_are_told(tmp_path, monkeypatch):
    """As where a process may open few files."""

    def fails(**_):
        raise RuntimeError("Nanny failed to start.\nand more")

    monkeypatch.setattr(engine, "LocalCluster", fails)
    with pytest.raises(UsageError, match=r"^2 workers cannot start \(Nanny failed to start\.\): give --workers 0$"):
        run([FIXTURES / "item_broken.sqlite"], tmp_path / "fleet", workers=2)
