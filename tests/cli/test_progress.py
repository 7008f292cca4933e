"""In a terminal, long work shows what goes on until it is done; then nothing of that remains."""

import pytest
from processes import Sandbox
from traces import FIXTURES
from variations import some

TRACE, OTHER = (str(FIXTURES / f"tokenize_{kind}.sqlite") for kind in ("broken", "fixed"))


@pytest.mark.parametrize(
    "arguments",
    some(
        1,
        [
            ["diagnose", TRACE],
            ["report", TRACE, "-o", "page.html"],
            ["whatif", TRACE, "--without", "host_sync"],
            ["compare", TRACE, OTHER],
        ],
    ),
    ids=lambda arguments: arguments[0],
)
def test_stages_are_shown_on_standard_error(tmp_path, arguments):
    seen = Sandbox(tmp_path).in_terminal(*arguments, errors_alone=True)
    assert "reading the trace" in seen
    assert "finding gaps" in seen
    assert "finding causes" in seen


@pytest.mark.thorough
def test_a_fleet_counts_its_traces(tmp_path):
    seen = Sandbox(tmp_path).in_terminal("fleet", TRACE, OTHER, "-o", "ledger", "--workers", "0", errors_alone=True)
    assert "0 of 2 traces" in seen
    assert "1 of 2 traces" in seen
    assert "2 of 2 traces" in seen
