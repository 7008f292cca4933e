"""What an agent gets: asked by the protocol's own client, of the command as a process."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import PIPE

import anyio
import pytest
from mcp import Client, StdioServerParameters
from processes import GAPFINDER, TIMEOUT_S
from traces import FIXTURES

from gapfinder.cli.failures import INTERRUPTED
from gapfinder.ingest.manifest import MANIFEST

BROKEN, FIXED, CHANGED = "item_broken.sqlite", "sub/item_fixed.sqlite", "sub/changed.sqlite"
DAMAGED = "damaged.sqlite"
QUERY_RUNS_AT_S = 4  # opening a small trace takes some two seconds of CPU time
ENDLESS = "SELECT count(*) FROM range(1000000000) AS a, range(1000000000) AS b"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traces")
    (folder / "sub").mkdir()
    for name in (BROKEN, FIXED):
        (folder / name).write_bytes((FIXTURES / name.rpartition("/")[2]).read_bytes())
    for name, content in ((CHANGED, FIXED), ("new", BROKEN)):
        (folder / name).write_bytes((folder / content).read_bytes())
    (folder / "notes.txt").write_text("secret")
    with closing(sqlite3.connect(shutil.copy(FIXTURES / BROKEN, folder / DAMAGED))) as trace, trace:
        trace.execute("DROP TABLE PROCESSES")
    (folder / os.fsdecode(b"\xff.sqlite")).write_bytes(b"")
    (folder / "again.sqlite").symlink_to(BROKEN)
    (folder / "out.sqlite").symlink_to(FIXTURES / "loader_broken.sqlite")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe.sqlite")
    (folder / "linked").mkdir()
    (folder / "linked" / "StringIds.parquet").symlink_to(FIXTURES / "loader_broken.sqlite")
    (folder / "fleet" / "rank=0").mkdir(parents=True)
    (folder / "fleet" / MANIFEST).touch()
    (folder / "fleet" / "rank=0" / "rows.parquet").touch()
    return folder


@pytest.fixture(scope="module")
def temporary(tmp_path_factory):
    return tmp_path_factory.mktemp("temporary")


@pytest.fixture(scope="module")
def answers(folder, temporary):
    """What the tools answer: all questions in one session, as an agent asks them."""
    questions = {
        "traces": ("list_traces", {}),
        "diagnosis": ("diagnose", {"trace": BROKEN}),
        "gaps": ("list_gaps", {"trace": BROKEN, "limit": 3}),
        "gaps of damaged": ("list_gaps", {"trace": DAMAGED}),
        "what_if": ("what_if", {"trace": BROKEN, "without": ["host_sync"]}),
        "comparison": ("compare", {"before": BROKEN, "after": FIXED}),
        "rows": ("query", {"trace": BROKEN, "sql": "SELECT gap_id FROM gaps ORDER BY length_ns DESC; -- longest", "limit": 2}),
        "view": ("describe_views", {"name": "gaps"}),
        "views": ("describe_views", {}),
        "words": ("explain_words", {}),
        "absolute": ("diagnose", {"trace": str(FIXTURES / "loader_broken.sqlite")}),
        "above": ("diagnose", {"trace": "../item_broken.sqlite"}),
        "link": ("diagnose", {"trace": "out.sqlite"}),
        "no trace": ("diagnose", {"trace": "notes.txt"}),
        "write": ("query", {"trace": BROKEN, "sql": "COPY (SELECT 1) TO '/tmp/out.csv'"}),
        "file": ("query", {"trace": BROKEN, "sql": f"SELECT * FROM read_text('{folder}/notes.txt')"}),
        "two": ("query", {"trace": BROKEN, "sql": "SELECT 1; SELECT 2"}),
        "closed": ("query", {"trace": BROKEN, "sql": "SELECT 1) LIMIT 1; DROP TABLE gaps; FROM (SELECT 1"}),
        "too many": ("query", {"trace": BROKEN, "sql": "FROM gaps", "limit": 100_000}),
        "wrong": ("diagnose", {"trace": BROKEN, "step": "nothing"}),
        "no change": ("what_if", {"trace": BROKEN}),
        "no view": ("describe_views", {"name": "xyzzyx"}),
        "no table": ("query", {"trace": BROKEN, "sql": "FROM xyzzyx"}),
        "no cause": ("list_gaps", {"trace": BROKEN, "cause": "hostsync"}),
        "bytes": ("query", {"trace": BROKEN, "sql": "SELECT '\\xff'::BLOB AS b, 'nan'::DOUBLE AS n"}),
        "long": ("query", {"trace": BROKEN, "sql": "SELECT i, range(1000000) AS l, repeat('x', i) AS t FROM range(200) AS r(i)"}),
        "wide": ("query", {"trace": BROKEN, "sql": "SELECT " + ", ".join(f"1 AS {500 * 'x'}{number}" for number in range(200))}),
        "no name": ("diagnose", {"trace": "a\0b"}),
        "before": ("diagnose", {"trace": CHANGED}),
    }
    at_once = {f"part {step}": ("diagnose", {"trace": BROKEN, "window": f"{step}"}) for step in range(2)}

    async def ask():
        command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "gapfinder", "mcp", str(folder), "--memory-limit", "1GB"],
            env=os.environ | {"TMPDIR": str(temporary)},
        )
        async with Client(command) as client:
            found = {name: await client.call_tool(*question) for name, question in questions.items()}

            async def answer(name):
                found[name] = await client.call_tool(*at_once[name])

            (folder / "new").replace(folder / CHANGED)
            found["changed"] = await client.call_tool("diagnose", {"trace": CHANGED})

            async with anyio.create_task_group() as together:
                for name in at_once:
                    together.start_soon(answer, name)

            with anyio.move_on_after(1):
                await client.call_tool("query", {"trace": BROKEN, "sql": ENDLESS})
            # in one call of a function, in which DuckDB looks neither for an interrupt nor at its limit
            found["much"] = await client.call_tool("query", {"trace": BROKEN, "sql": "SELECT length(repeat('x', 4000000000))"})
            found["after"] = await client.call_tool("list_traces", {})
            return found

    with ThreadPoolExecutor(1) as thread:  # where no browser of other tests has its event loop
        return thread.submit(anyio.run, ask).result()


def test_traces_in_the_folder_are_listed_and_no_others(answers):
    """One has a name that is not UTF-8. One to which a link points is listed once. Ledgers and pipes are none."""
    assert answers["traces"].structured_content == {"traces": [DAMAGED, BROKEN, CHANGED, FIXED], "left_out": 1}


def test_a_trace_that_was_captured_again_is_read_again(answers):
    before, after = (answers[name].structured_content["verdict"]["cause"] for name in ("before", "changed"))
    assert (before, after) == ("launch_bound", "host_sync")


def test_a_diagnosis_names_its_evidence_and_what_is_unknown(answers):
    found = answers["diagnosis"].structured_content
    assert found["verdict"]["cause"] == "host_sync"
    (device,) = found["devices"]
    assert device["compute_ns"] + sum(cause["lost_ns"] for cause in device["causes"]) == device["window_ns"]
    assert [fact["id"] for fact in found["causes"][0]["evidence"][:2]] == ["host_sync.1", "host_sync.2"]
    assert any("source lines are unknown" in note for note in found["notes"])


def test_a_question_that_was_ended_ends_alone(answers):
    assert answers["after"].structured_content == answers["traces"].structured_content


@pytest.mark.usefixtures("answers")
def test_no_folder_stays_behind(temporary):
    assert not [*temporary.iterdir()]


def test_questions_at_once_are_answered_in_turn(answers):
    steps = [answers[f"part {step}"].structured_content["window"]["steps"] for step in range(2)]
    assert steps == [1, 1]


def test_what_json_has_no_form_for(answers):
    assert answers["bytes"].structured_content["rows"] == [{"b": "ff", "n": None}]


def test_lists_are_cut_and_say_so(answers):
    gaps = answers["gaps"].structured_content
    assert len(gaps["gaps"]) == 3
    assert gaps["left_out"] > 1000
    assert gaps["damage"] == []
    rows = answers["rows"].structured_content
    assert [row["gap_id"] for row in rows["rows"]] == [gap["gap_id"] for gap in gaps["gaps"][:2]]
    assert rows["more"]


def test_gaps_say_what_is_damaged(answers):
    (sentence,) = answers["gaps of damaged"].structured_content["damage"]
    assert "lacks PROCESSES" in sentence


def test_a_long_value_is_cut_and_its_column_named(answers):
    found = answers["long"].structured_content
    assert found["cut"] == ["l"]
    assert found["rows"][0]["l"].startswith("[0, 1, ")
    assert found["rows"][7]["t"] == 7 * "x"
    assert len(answers["long"].content[0].text) < 200_000
    assert found["more"]


def test_the_other_tools_answer(answers):
    assert answers["what_if"].structured_content["changes"][0]["predicted_step_ns"] < 6.3e6
    assert answers["comparison"].structured_content["speedup"]["ratio"] > 1
    assert {column["name"] for column in answers["view"].structured_content["columns"]} >= {"gap_id", "cause", "start_ns"}
    views = [view["name"] for view in answers["views"].structured_content["views"]]
    assert len(views) > 50
    assert views.index("gaps") < 22 <= views.index("gap_facts")  # those to begin with are first
    assert "gap" in answers["words"].structured_content["words"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("absolute", "there is no trace"),
        ("above", "there is no trace"),
        ("link", "there is no trace"),
        ("no trace", "there is no trace"),
        ("write", "syntax error"),
        ("file", "may only read the trace"),
        ("two", "one statement"),
        ("closed", "syntax error"),
        ("too many", "200"),
        ("wrong", "nothing"),
        ("no change", "name what to leave out (a cause, nvtx:NAME,"),
        ("no view", "without a name, all are listed"),
        ("no table", "the view catalogue lists"),
        ("no cause", "did you mean host_sync"),
        ("no name", "there is no trace"),
        ("wide", "select fewer columns"),
        ("much", "want of memory"),
    ],
)
def test_what_is_refused_is_told_in_one_line(answers, question, told):
    answer = answers[question]
    assert answer.is_error
    assert told in answer.content[0].text
    assert "Traceback" not in answer.content[0].text


def test_no_error_speaks_of_the_command_line(answers):
    told = [answer.content[0].text for answer in answers.values() if answer.is_error]
    assert [text for text in told if re.search(r"--[a-z]|`gapfinder", text)] == []


def ask(server, number, method, **parameters):
    question = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
    server.stdin.write(json.dumps(question).encode() + b"\n")
    server.stdin.flush()


@contextmanager
def served(folder):
    """A server that has answered once."""
    with subprocess.Popen([*GAPFINDER, "mcp", str(folder)], stdin=PIPE, stdout=PIPE, start_new_session=True) as server:
        client = {"name": "test", "version": "1"}
        ask(server, 1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        assert server.stdout.readline()
        yield server


def cpu_s(pid):
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def test_a_server_that_is_killed_leaves_no_process(folder):
    with served(folder) as server:
        ask(server, 2, "tools/call", name="query", arguments={"trace": FIXED, "sql": ENDLESS})
        listed = Path(f"/proc/{server.pid}/task/{server.pid}/children")
        ends = time.monotonic() + TIMEOUT_S
        while not (answering := listed.read_text().split()) or cpu_s(answering[0]) < QUERY_RUNS_AT_S:
            assert time.monotonic() < ends
            time.sleep(0.1)
        server.kill()
        while any(Path(f"/proc/{pid}").exists() for pid in answering):
            assert time.monotonic() < ends
            time.sleep(0.1)


def test_ctrl_c_ends_it(folder):
    """Also while it waits for more of standard input."""
    with served(folder) as server:
        server.send_signal(signal.SIGINT)
        assert server.wait(TIMEOUT_S) == INTERRUPTED
