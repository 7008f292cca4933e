"""In a terminal, what is longer than the screen is shown in a pager; what fits is not, nor what goes to a pipe."""

import pytest
from traces import FIXTURES
from variations import some

TRACE = str(FIXTURES / "module_loading_fixed.sqlite")


@pytest.fixture
def sandbox(sandbox):
    pager = sandbox.work / "pager"
    pager.write_text("#!/bin/sh\ncat > paged\n")
    pager.chmod(0o755)
    sandbox.environment["PAGER"] = str(pager)
    return sandbox


def in_terminal(sandbox, *arguments):
    """What the pager was given, None where there was none, and what the terminal was."""
    seen = sandbox.in_terminal(*arguments)
    paged = sandbox.work / "paged"
    return paged.read_text() if paged.exists() else None, seen


@pytest.mark.thorough
def test_all_views_are_paged_and_begin_with_those_to_start_from(sandbox):
    paged, _ = in_terminal(sandbox, "views")
    assert "70_names: The views to start from" in paged.partition("\n")[0]
    assert "10_source: " in paged


def test_many_rows_are_paged_with_their_number_and_time(sandbox, converted):
    paged, seen = in_terminal(sandbox, "sql", converted, "SELECT * FROM range(50) AS r(x)")
    assert "50 rows in " in paged
    assert "50 rows in " not in seen


def test_a_pager_that_is_no_command_is_left_out(sandbox):
    sandbox.environment["PAGER"] = 'less -z"'
    assert "cookbook" in in_terminal(sandbox, "guide", "sql")[1]


@pytest.mark.parametrize(
    ("arguments", "first", "last"),
    some(
        1,
        [
            (("diagnose", TRACE), "module_loading_fixed.sqlite: ", "Kernels"),
            (("gaps", TRACE), "length", "more: --limit shows them"),
            (("doctor", TRACE), "yes  kernels", "CPU samples"),
            (("guide", "sql"), "Ask in SQL", "cookbook"),
            (("workload", "list"), "host_sync", "Needs 2 GPUs"),
        ],
    ),
    ids=lambda value: value[0],
)
def test_any_long_output_is_paged_whole(sandbox, arguments, first, last):
    sandbox.environment["LINES"] = "9"
    paged, seen = in_terminal(sandbox, *arguments)
    assert first in paged
    assert last in paged
    assert first not in seen


def test_few_rows_are_not(sandbox, converted):
    paged, seen = in_terminal(sandbox, "sql", converted, "SELECT * FROM range(5) AS r(x)")
    assert paged is None
    assert "5 rows in " in seen


def test_a_pipe_is_not(sandbox):
    done = sandbox.gapfinder("guide", "sql")
    assert done.stdout.startswith("# Ask in SQL")
    assert not (sandbox.work / "paged").exists()
