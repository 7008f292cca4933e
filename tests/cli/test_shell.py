"""The shell, in a terminal of its own."""

import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest
from processes import GAPFINDER, TIMEOUT_S
from traces import EXPORT, opened

from gapfinder.cli.failures import INTERRUPTED

ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[()=>].?)|\r")
GAPS = opened(EXPORT).sql("SELECT * FROM gaps")
PROMPT = "gapfinder>"
ENDLESS = "SELECT max(x % 7) FROM range(1000000000000) AS r(x)"


class Shell:
    """A shell, and what is on its screen since the last prompt that was waited for."""

    def __init__(self, sandbox, trace, columns=120):
        self.master, slave = pty.openpty()
        environment = sandbox.environment | {"TERM": "xterm", "COLUMNS": str(columns), "LINES": "40"}
        environment["PROMPT_TOOLKIT_NO_CPR"] = "1"
        self.process = subprocess.Popen(
            # a script in the background ignores Ctrl-C, and so would this process
            ["env", "--default-signal=INT", *GAPFINDER, "sql", str(trace)],
            stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=sandbox.work, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.read_until(PROMPT)

    def say(self, keys):
        """What is answered to a line."""
        os.write(self.master, f"{keys}\r".encode())
        return self.read_until(f"\n{PROMPT}")

    def read_until(self, text):
        seen, ends = "", time.monotonic() + TIMEOUT_S
        while text not in ESCAPES.sub("", seen):
            assert time.monotonic() < ends, f"{text!r} never came: {seen!r}"
            if select.select([self.master], [], [], 1)[0]:
                seen += os.read(self.master, 65536).decode()
        return ESCAPES.sub("", seen)

    def end(self, keys):
        os.write(self.master, keys.encode())
        return self.process.wait(TIMEOUT_S)


@pytest.fixture
def shell(sandbox, converted):
    opened = Shell(sandbox, converted)
    yield opened
    opened.process.kill()
    opened.process.wait()
    os.close(opened.master)


def test_a_conversation(shell, sandbox):
    assert "\nfound\n   42\n" in shell.say("SELECT 20 +\r22 AS found;")
    assert '\nBinder Error: Referenced column "xx"' in shell.say("SELECT xx FROM gaps;")
    assert "SET does more" in shell.say("SET threads = 1;")
    assert "cause of the longest segment" in shell.say(".describe gaps")
    assert "did you mean gaps" in shell.say(".describe gapz")
    assert "\nstream_gaps " in shell.say(".views gap")
    assert ".describe VIEW" in shell.say(".help")
    assert "On which Python line was the thread that kept the GPU waiting?" in shell.say(".cookbook")
    ran = shell.say(".cookbook lost_by_python_line")
    assert ran.index("FROM segment_lines") < ran.index("\nno sample") < ran.rindex(" rows in ")
    assert "did you mean lost_by_python_line" in shell.say(".cookbook lost_by_line")
    assert ".help lists" in shell.say(".nonsense")
    assert ".help lists" in shell.say(".format parquet")
    shell.say(".format csv")
    assert "\na,b\n1,\n" in shell.say("SELECT 1 AS a, NULL AS b;")
    assert shell.end(".quit\r") == 0
    history = (sandbox.home / ".local" / "state" / "gapfinder" / "history").read_text()
    assert "+SELECT xx FROM gaps;" in history
    assert sandbox.left_behind() == []


def test_commands_of_other_shells_work(shell):
    assert ".describe VIEW" in shell.say("help")
    assert ".describe VIEW" in shell.say("\\?")
    assert "\nstream_gaps " in shell.say("\\d")
    assert "cause of the longest segment" in shell.say("\\d gaps")
    assert "cause of the longest segment" in shell.say(".schema gaps")
    assert "\nstream_gaps " in shell.say(".tables gap")
    assert ".timr is not a command of this shell (did you mean .timer?)" in shell.say(".timr off")
    assert "there is no format 'vertcal' to show (did you mean vertical?)" in shell.say(".mode vertcal")
    shell.say("\\x")
    assert "\nrow 1 of 1\n" in shell.say("SELECT 1 AS a;")
    assert "vertical; there is csv" in shell.say(".mode")
    assert shell.end("\\q\r") == 0


@pytest.mark.thorough
def test_what_stands_below_a_result(shell):
    assert "\n0 rows in " in shell.say("SELECT 1 AS a WHERE false;")
    assert " rows" not in shell.say("EXPLAIN SELECT 1 AS a;").splitlines()[-2]
    assert "1 row" not in shell.say("EXPLAIN SELECT 1 AS a;").splitlines()[-2]


@pytest.mark.thorough
def test_the_timer_can_be_switched_off(shell):
    assert re.search(r"\n1 row in [\d.]+ [mu]?s\n", shell.say("SELECT 1 AS a;"))
    shell.say(".timer off")
    assert "\n1 row\n" in shell.say("SELECT 1 AS a;")


@pytest.mark.thorough
def test_results_go_to_a_file_until_they_do_not(shell, sandbox, converted):
    shell.say(".mode csv")
    shell.say(".output found.csv")
    assert "7" not in shell.say("SELECT 5 + 2 AS a;").partition(";\n")[2]
    shell.say("SELECT 8 AS b;")
    shell.say(".output")
    assert "\nc\n9\n" in shell.say("SELECT 9 AS c;")
    assert (sandbox.work / "found.csv").read_text() == "a\n7\nb\n8\n"
    before = converted.read_bytes()
    assert "is read by this command" in shell.say(f".output {converted}")
    assert "there is no folder" in shell.say(".output none/found.csv")
    assert converted.read_bytes() == before


def test_help_breaks_no_word_in_a_narrow_terminal(sandbox, converted):
    shell = Shell(sandbox, converted, columns=60)
    shown = shell.say(".help").partition(".help\n")[2].splitlines()
    assert max(map(len, shown)) <= 60
    assert "run a statement; it may have several lines, and ends with a semicolon" in " ".join(" ".join(shown).split())
    assert shell.end("exit\r") == 0


def test_a_statement_is_edited_in_the_editor_of_the_user(sandbox, converted):
    editor = sandbox.home / "editor"
    editor.write_text("#!/bin/sh\necho 'SELECT 40 + 2 AS edited;' > \"$1\"\n")
    editor.chmod(0o755)
    sandbox.environment |= {"EDITOR": str(editor), "VISUAL": str(editor)}
    shell = Shell(sandbox, converted)
    os.write(shell.master, b"SELECT\x18\x05")
    shell.read_until("\nedited\n    42\n")
    assert shell.end("quit;\r") == 0


def test_tab_completes_commands_causes_and_functions(shell):
    for typed, completed in ((".mo", "de"), (" vert", "ical")):
        os.write(shell.master, f"{typed}\t".encode())
        shell.read_until(completed)
    shell.say("")
    for typed, completed in (("SELECT 'queue_lat", "ency"), ("' AS a, regexp_ext", "ract")):
        os.write(shell.master, f"{typed}\t".encode())
        shell.read_until(completed)
    assert "row 1 of 1" in shell.say("('x1', '1') AS b;")
    assert shell.end("quit\r") == 0


@pytest.mark.thorough
def test_tab_completes_views_columns_and_keywords(shell):
    shell.say(".format json")
    for typed, completed in (
        ("SELECT sum(launch_sta", "launch_start_ns"),
        (") IS NULL AS n FROM thread_st", "thread_states"),
    ):
        os.write(shell.master, f"{typed}\t".encode())
        shell.read_until(completed.removeprefix(typed.split()[-1].split("(")[-1]))
    os.write(shell.master, b" WHERE fals\t")
    shell.read_until("FALSE")
    assert "launch_start_ns" in shell.say(";")


@pytest.mark.thorough
def test_ctrl_c_drops_a_line_and_ctrl_d_ends(shell):
    os.write(shell.master, b"SELECT nonsense\x03")
    shell.read_until(f"\n{PROMPT}")
    shell.say(".format json")
    assert '\n[{"a":1}]\n' in shell.say("SELECT 1 AS a;")
    assert shell.end("\x04") == 0


def test_ctrl_c_ends_a_query_and_not_the_shell(shell):
    os.write(shell.master, f"{ENDLESS};\r".encode())
    shell.read_until("(x);\n")
    time.sleep(1)
    shell.process.send_signal(signal.SIGINT)
    shell.read_until(PROMPT)
    assert "\na\n1\n" in shell.say("SELECT 1 AS a;")
    assert shell.end(".exit\r") == 0


@pytest.mark.parametrize("statement", ["", f"{ENDLESS};\r"])
def test_sigterm_ends_the_shell(shell, statement):
    os.write(shell.master, statement.encode())
    time.sleep(1)
    shell.process.terminate()
    assert shell.process.wait(TIMEOUT_S) == INTERRUPTED


def test_without_a_folder_for_statements_it_works(sandbox, converted):
    (sandbox.work / "gapfinder").touch()
    sandbox.environment["XDG_STATE_HOME"] = str(sandbox.work)
    shell = Shell(sandbox, converted)
    assert "\na\n1\n" in shell.say("SELECT 1 AS a;")
    assert shell.end(".exit\r") == 0


@pytest.mark.thorough
def test_a_terminal_bounds_the_columns(shell):
    shown = shell.say("SELECT * FROM gaps LIMIT 5;")
    lines = shown.partition(";\n")[2].splitlines()
    assert max(map(len, lines)) <= 120
    more = re.search(r"(\d) columns more: (.*)\. -x shows them", " ".join(lines))
    assert [*lines[0].split(), *more[2].split(", ")] == GAPS.columns
    assert len(more[2].split(", ")) == int(more[1])
    assert re.fullmatch(r"5 rows in [\d.]+ [mu]?s", lines[-2])
    assert shell.say("SELECT * FROM gaps LIMIT 1;").count("row 1 of 1") == 1  # all of it fits in the other form
