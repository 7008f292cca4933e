"""The command: which files it writes, and what it refuses."""

from click.testing import CliRunner
from traces import FIXTURES

from gapfinder.cli.main import gapfinder
from gapfinder.errors import UsageError

TRACE = str(FIXTURES / "item_broken.sqlite")


def run(*arguments):
    return CliRunner().invoke(gapfinder, [str(argument) for argument in arguments])


def test_gaps_are_those_of_the_list(tmp_path):
    """One reading of the trace writes all files."""
    csv, parquet = tmp_path / "gaps.csv", tmp_path / "gaps.parquet"
    assert run("export", TRACE, "--csv", csv, "--parquet", parquet, "--min-gap", "20us").exit_code == 0
    for written in (csv, parquet):
        listed = tmp_path / f"listed{written.suffix}"
        run("gaps", TRACE, "--format", written.suffix[1:], "-o", listed, "--min-gap", "20us")
        assert written.read_bytes() == listed.read_bytes()


def test_it_asks_what_to_write():
    result = run("export", TRACE)
    assert isinstance(result.exception, UsageError)
    assert "--perfetto FILE" in str(result.exception)


def test_it_does_not_write_over_the_trace():
    result = run("export", TRACE, "--csv", TRACE)
    assert isinstance(result.exception, UsageError)
