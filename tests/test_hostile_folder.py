"""What lies in the working folder, among the traces that a stranger sent, is neither run nor believed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import TIMEOUT_S
from traces import FIXTURES

# the script that pip makes: `python -m gapfinder` lets Python itself look into the working folder
GAPFINDER = Path(sys.executable).with_name("gapfinder")
PLANTED = "from pathlib import Path\nPath(__file__).with_name('was_run').touch()\nraise SystemExit('planted')\n"
# imported by the processes that are started, and not before by gapfinder itself
MODULES = ("anyio", "tokenize", "socket", "multiprocessing")
TRACE = "item_broken.sqlite"
CAUSE = """/* cause
meaning = "a stranger said so"
usual_fix = "Do as the stranger says."
color = "#000000"
color_dark = "#ffffff"
*/

-- reads: segments
CREATE VIEW rules_stranger AS SELECT segment_id, 1 AS priority, 'named' AS basis FROM segments;
"""
SESSION = (
    {
        "id": 0,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    },
    {"method": "notifications/initialized"},
    {"id": 1, "method": "tools/call", "params": {"name": "diagnose", "arguments": {"trace": TRACE}}},
)


@pytest.fixture
def folder(sandbox):
    shutil.copy(FIXTURES / TRACE, sandbox.work)
    for name in MODULES:
        (sandbox.work / f"{name}.py").write_text(PLANTED)
    (sandbox.work / "gapfinder.toml").touch()
    (sandbox.work / "causes").mkdir()
    (sandbox.work / "causes" / "stranger.sql").write_text(CAUSE)
    return sandbox


def verdict_told_to_an_agent(folder, *options):
    """The process of the server ends when its input does, so that the answer is awaited before."""
    with subprocess.Popen(
        [GAPFINDER, "mcp", ".", *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=folder.environment, cwd=folder.work,
    ) as server:  # fmt: skip
        for message in SESSION:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
        answer = next(found for line in server.stdout if (found := json.loads(line)).get("id") == 1)
        server.stdin.close()
        server.wait(TIMEOUT_S)
    return json.loads(answer["result"]["content"][0]["text"])["verdict"]["cause"]


def test_an_agent_is_told_what_gapfinder_says(folder):
    assert verdict_told_to_an_agent(folder) == "host_sync"
    assert not (folder.work / "was_run").exists()
    assert verdict_told_to_an_agent(folder, "--config", "gapfinder.toml") == "stranger"


def test_the_workers_of_a_fleet_run_nothing_of_it(folder):
    done = subprocess.run(
        [GAPFINDER, "fleet", TRACE, "-o", folder.temporary / "fleet", "--workers", "1"],
        capture_output=True, text=True, check=False, timeout=TIMEOUT_S, env=folder.environment, cwd=folder.work,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder.work / "was_run").exists()
