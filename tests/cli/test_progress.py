"""In a terminal, long work shows what goes on until it is done; then nothing of that remains."""

import os
import pty
import subprocess

import pytest
from processes import GAPFINDER, TIMEOUT_S, Sandbox
from traces import FIXTURES

TRACE, OTHER = (str(FIXTURES / f"tokenize_{kind}.sqlite") for kind in ("broken", "fixed"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("diagnose", TRACE),
        ("report", TRACE, "-o", "page.html"),
        ("whatif", TRACE, "--without", "host_sync"),
        ("compare", TRACE, OTHER),
    ],
    ids=lambda arguments: arguments[0],
)
def test_stages_are_shown_on_standard_error(tmp_path, arguments):
    sandbox = Sandbox(tmp_path)
    seen = errors_in_terminal(sandbox, arguments)
    assert "reading the trace" in seen
    assert "finding gaps" in seen
    assert "finding causes" in seen
    assert sandbox.gapfinder(*arguments).stderr.count("finding") == 0


def test_a_fleet_counts_its_traces(tmp_path):
    seen = errors_in_terminal(Sandbox(tmp_path), ("fleet", TRACE, OTHER, "-o", "ledger", "--workers", "0"))
    assert "0 of 2 traces" in seen
    assert "1 of 2 traces" in seen
    assert "2 of 2 traces" in seen


def errors_in_terminal(sandbox, arguments):
    master, slave = pty.openpty()
    environment = sandbox.environment | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        [*GAPFINDER, *arguments], stdin=slave, stdout=subprocess.DEVNULL, stderr=slave, env=environment, cwd=sandbox.work
    )
    os.close(slave)
    seen = b""
    try:
        while part := os.read(master, 65536):
            seen += part
    except OSError:  # its end, on Linux
        pass
    os.close(master)
    assert process.wait(TIMEOUT_S) == 0
    return seen.decode()
