"""`import gapfinder`: what a script and a notebook get."""

import ast
import copy
import dataclasses
import inspect
import os
import pickle
import pydoc
import re
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from html.parser import HTMLParser
from threading import Event, Thread
from typing import get_args, get_type_hints

import pytest
from traces import FIXTURES, diagnosis, opened
from variations import some

import gapfinder
from gapfinder import results as results_module
from gapfinder.errors import TraceError, UsageError
from gapfinder.ingest.nsys import sqlite
from gapfinder.options import Options, Window

TRACE = FIXTURES / "tokenize_broken.sqlite"
FIXED = FIXTURES / "tokenize_fixed.sqlite"


ENDLESS = "SELECT count(*) FROM range(1000000000000) t WHERE hash(range) = 1"


def python(script, **environment):
    variables = os.environ | environment
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60, env=variables)


@pytest.mark.parametrize("module", ["gapfinder", "gapfinder.annotate", "gapfinder.errors"])
def test_importing_reads_nothing_heavy(module):
    heavy = "{'duckdb', '_duckdb', 'polars', 'rich', 'click', 'adbc_driver_manager', 'pyarrow'}"
    done = python(f"import sys, {module}; print({heavy} & set(sys.modules))")
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_help_shows_python_that_runs():
    """As `help(gapfinder)` prints it: with the indentation of the `with` statement."""
    shown = inspect.getdoc(gapfinder).partition("\n\n    ")[2]
    assert isinstance(ast.parse(inspect.cleandoc(f"\n    {shown}")).body[1], ast.With)
    assert set(gapfinder.__all__) <= set(dir(gapfinder))
    assert all(getattr(gapfinder, name).__doc__ for name in gapfinder.__all__ if name != "__version__")


def test_nothing_else_is_exported():
    """Besides its modules, which Python itself sets as attributes."""
    done = python(
        "import gapfinder, types; print(sorted(name for name, value in vars(gapfinder).items()"
        " if not name.startswith('_') and not isinstance(value, types.ModuleType)), sorted(dir(gapfinder)))"
    )
    assert done.stdout == f"['GapfinderError'] {sorted(gapfinder.__all__)}\n"


def test_the_classes_of_results_are_exported_with_all_that_they_hold():
    seen, waiting = set(), [gapfinder.Diagnosis, gapfinder.Job, gapfinder.Comparison, gapfinder.WhatIf]
    while waiting:
        kind = waiting.pop()
        if dataclasses.is_dataclass(kind) and kind not in seen:
            seen.add(kind)
            waiting += get_type_hints(kind).values()
        waiting += get_args(kind)
    assert {kind.__name__: kind for kind in seen} == {name: getattr(results_module, name) for name in results_module.__all__}


def test_help_is_of_what_is_exported():
    shown = pydoc.render_doc(gapfinder, renderer=pydoc.plaintext)
    classes, _, functions = shown.partition("\nFUNCTIONS\n")
    for name in ("compare", "convert", "diagnose_job", "open", "redact"):
        assert f"\n    {name}(" in f"\n{functions}"
    for name in ("Comparison", "Diagnosis", "GapfinderError", "Job", "Trace", "WhatIf"):
        assert re.search(rf"\n    class {name}\(", classes)
    assert "TYPE_CHECKING" not in shown


def test_a_closed_trace_says_so():
    with gapfinder.open(TRACE) as trace:
        pass
    for question in (trace.diagnose, trace.gaps, trace.ledger, partial(trace.sql, "SELECT 1"), partial(trace.report, "x.html")):
        with pytest.raises(gapfinder.GapfinderError, match="was closed: ask inside of its `with` statement"):
            question()


@pytest.mark.thorough
def test_the_page_is_that_of_the_command(tmp_path, command_line):
    target = tmp_path / "page.html"
    with gapfinder.open(TRACE) as trace:
        assert trace.report(target) == target
        with pytest.raises(UsageError, match="is read by this command"):
            trace.report(TRACE)
        with pytest.raises(UsageError, match="there is no folder"):
            trace.report(tmp_path / "none" / "page.html")
    command_line("report", TRACE, "-o", tmp_path / "command.html")
    assert target.read_text() == (tmp_path / "command.html").read_text()


@pytest.mark.parametrize("closing", some(1, ["", "trace.close()", "del trace, frame"]))
def test_a_script_ends_silently(closing):
    """DuckDB 2.0 lists its own types as leaked at exit where something still holds one."""
    done = python(
        f"import gapfinder; trace = gapfinder.open({str(TRACE)!r}); frame = trace.frame('SELECT * FROM segments'); trace.gaps()\n"
        f"trace.ledger(), trace.steps(), trace.kernels(), trace.diagnose(), trace.whatif(without=['host_sync'])\n{closing}"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_script_ends_in_the_middle_of_rows():
    done = python(f"import gapfinder; rows = gapfinder.open({str(TRACE)!r}).sql_parts('SELECT 1'); next(rows)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("ask", ["sql(ENDLESS)", "id_rows(ENDLESS)", "frame(ENDLESS)", "diagnose()"])
def test_a_script_ends_while_a_daemon_asks(ask, tmp_path):
    """The whole script takes three seconds; a query of a thread that comes back after Python ended would abort it."""
    done = python(
        f"""
import gapfinder, threading, time
ENDLESS = {ENDLESS!r}
trace = gapfinder.open({str(TRACE)!r})
def work():
    while True:
        trace.{ask}
threading.Thread(target=work, daemon=True).start()
time.sleep(0.5)
""",
        TMPDIR=str(tmp_path),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("when", ["atexit.register(work)", "threading.Thread(target=lambda: time.sleep(1) or work()).start()"])
def test_a_trace_can_be_asked_and_opened_while_python_ends(when, tmp_path):
    done = python(
        f"""
import atexit, gapfinder, threading, time
trace = gapfinder.open({str(TRACE)!r})
def work():
    print(trace.sql("SELECT count(*) AS n FROM gaps")["n"][0])
    with gapfinder.open({str(TRACE)!r}) as again:
        print(again.diagnose().verdict)
    trace.close()
{when}
""",
        TMPDIR=str(tmp_path),
    )
    gaps = opened(TRACE).sql("SELECT count(*) AS n FROM gaps")["n"][0]
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{gaps}\n{diagnosis(TRACE).verdict}\n", "")
    assert not [*tmp_path.iterdir()]


def test_who_begins_with_gapfinder_while_python_ends_is_told():
    done = python(f"import atexit, gapfinder, threading; atexit.register(lambda: gapfinder.open({str(TRACE)!r}))")
    assert done.stderr.endswith("UsageError: gapfinder cannot be used first while Python ends: call gapfinder.open once before\n")


def test_a_child_leaves_the_trace_of_its_parent_alone(tmp_path):
    """It is told so, may open another one, and ends without removing the temporary folder."""
    done = python(
        f"""
import gapfinder, os, pathlib, sys
with gapfinder.open({str(TRACE)!r}) as trace:
    trace.diagnose()
    if not (child := os.fork()):
        try:
            trace.ledger()
        except gapfinder.GapfinderError as error:
            print(error)
        with gapfinder.open({str(TRACE)!r}) as own:
            print(own.diagnose().verdict)
        sys.exit(5)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(os.listdir({str(tmp_path)!r})), trace.diagnose().verdict)
""",
        TMPDIR=str(tmp_path),
    )
    told = f"{TRACE} was opened before this process was forked: open it again in this process"
    verdict = diagnosis(TRACE).verdict
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{told}\n{verdict}\n5 1 {verdict}\n", "")
    assert not [*tmp_path.iterdir()]


class TooLateError(TimeoutError):
    """As a program has for its own limit of time."""


@pytest.fixture
def alarm():
    """Seconds until a signal handler raises TooLateError."""

    def raises(*_):
        raise TooLateError

    before = signal.signal(signal.SIGALRM, raises)
    yield lambda after_s: signal.setitimer(signal.ITIMER_REAL, after_s)
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert signal.signal(signal.SIGALRM, before) is raises


def test_what_a_signal_handler_raises_comes_out(alarm, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with gapfinder.open(TRACE) as trace:
        for ask in (partial(trace.sql, ENDLESS), partial(trace.id_rows, ENDLESS), trace.diagnose):
            alarm(0.2)
            with pytest.raises(TooLateError):
                ask()
            assert trace.sql("SELECT 1 AS one").rows() == [(1,)]
        assert trace.diagnose().verdict == diagnosis(TRACE).verdict
    for after_s in (0.01, 0.1, 0.3):
        alarm(after_s)
        with pytest.raises(TooLateError):  # noqa: PT012  opening takes 0.2 s, or 2 s on a busy machine
            for _ in range(100):
                gapfinder.open(TRACE).close()
    assert not [*tmp_path.iterdir()]


def test_what_a_signal_handler_raises_while_sqlite_asks_is_no_damage(alarm, monkeypatch):
    """SQLite asks Python for each column that it reads, and takes an error for a no."""
    allowed = sqlite._only_reads  # noqa: SLF001

    def slow(*asked):
        signal.raise_signal(signal.SIGALRM)
        return allowed(*asked)

    monkeypatch.setattr(sqlite, "_only_reads", slow)
    alarm(100)
    with pytest.raises(TooLateError):
        gapfinder.open(TRACE)


def test_what_a_signal_handler_raises_does_not_break_off_the_closing(alarm, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    trace = gapfinder.open(TRACE)
    release = trace._budget.close  # noqa: SLF001
    monkeypatch.setattr(trace._budget, "close", lambda: time.sleep(0.3) or release())  # noqa: SLF001
    alarm(0.1)
    with pytest.raises(TooLateError):
        trace.close()
    assert trace.closed
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_open_trace_is_not_copied(copied):
    with gapfinder.open(TRACE) as trace:
        with pytest.raises(UsageError, match="cannot be copied or pickled: pass on its path, and open it again there"):
            copied(trace)
        assert trace.sql("SELECT 1 AS one").rows() == [(1,)]


def test_a_temporary_folder_that_is_gone_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    for ask in (gapfinder.open, gapfinder.diagnose_job):
        with pytest.raises(TraceError, match=r"no temporary folder can be made in .*/gone \(No such file or directory\)"):
            ask(TRACE)


def test_too_many_open_files_are_no_damage_of_the_trace():
    done = python(
        f"""
import gapfinder, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (26, 26))
traces = []
try:
    while True:
        traces.append(gapfinder.open({str(TRACE)!r}))
except gapfinder.GapfinderError as error:
    print(error)
print(traces[0].diagnose().verdict)
"""
    )
    said, verdict = done.stdout.splitlines()
    assert re.fullmatch(r"\d+ files are open, and `ulimit -n` allows 26: close some, .*", said)
    assert (verdict, done.returncode, done.stderr) == (diagnosis(TRACE).verdict, 0, "")


def test_a_result_of_another_process_is_printed(tmp_path):
    (tmp_path / "kept").write_bytes(pickle.dumps(diagnosis(TRACE)))
    done = python(f"import pickle, pathlib; print(pickle.loads(pathlib.Path({str(tmp_path / 'kept')!r}).read_bytes()))")
    assert (done.stdout, done.stderr) == (f"{diagnosis(TRACE)}\n", "")


@pytest.mark.parametrize(
    ("ask", "during"),
    [("id_rows", "gapfinder.trace.compute"), ("sql", "gapfinder.query.run.check_reads")],
    ids=["id_rows", "sql"],
)
def test_a_trace_is_not_closed_under_another_thread(monkeypatch, ask, during):
    """It then stays open, and can be asked and closed later."""
    entered, leave = Event(), Event()
    with gapfinder.open(TRACE) as trace:
        with monkeypatch.context() as patched:
            patched.setattr(during, lambda *_: (entered.set(), leave.wait()))
            worker = Thread(target=getattr(trace, ask), args=["SELECT 1"])
            worker.start()
            entered.wait()
            with pytest.raises(UsageError, match="while another thread works with it"):
                trace.close()
            leave.set()
            worker.join()
        assert not trace.closed
        assert trace.sql("SELECT 1 AS one").rows() == [(1,)]
    assert trace.closed


def test_a_trace_can_be_closed_between_two_parts_of_rows():
    """In any thread: the next part is not read any more."""
    with gapfinder.open(TRACE) as trace:
        parts = trace.sql_parts("FROM range(1000000)")
        reader = Thread(target=next, args=[parts])
        reader.start()
        reader.join()
    with pytest.raises(UsageError, match="was closed"):
        next(parts)


def test_frames_have_the_rows_and_types_of_the_query():
    trace = opened(TRACE)
    frame = trace.frame("SELECT gpu, start_ns, length_ns, cause FROM gaps")
    assert frame.rows() == trace.cursor("gaps").execute("SELECT gpu, start_ns, length_ns, cause FROM gaps").fetchall()
    assert [str(kind) for kind in frame.dtypes] == ["Int32", "Int64", "Int64", "String"]
    assert trace.frame("SELECT * FROM gaps WHERE gpu < 0").columns == trace.frame("SELECT * FROM gaps").columns
    assert trace.frame("SELECT gap_id FROM gaps WHERE gpu < 0").height == 0


def test_one_text_stands_for_a_list_of_one():
    trace = opened(TRACE)
    assert trace.whatif(without="host_sync").changes == trace.whatif(without=["host_sync"]).changes
    assert [gate.gate for gate in trace.diagnose(gates="lost>99%").gates] == ["lost>99%"]
    with gapfinder.open(TRACE, window=3) as part:
        assert part.options == Options(window=Window.parse("3"))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: gapfinder.open(None), "None is not a path"),
        (lambda: gapfinder.open(b"trace"), "b'trace' is not a path"),
        (lambda: gapfinder.open(""), "the path is empty"),
        (lambda: gapfinder.open(TRACE, config=3), "3 is not a path"),
        (lambda: gapfinder.open(TRACE, step=5), "5 is not a text"),
        (lambda: gapfinder.open(TRACE, memory_limit=4e9), "4000000000.0 is not a text"),
        (lambda: gapfinder.open(TRACE, min_gap=None), "None is not a text"),
        (lambda: gapfinder.open(TRACE, device="0"), "there is no GPU 0"),
        (lambda: gapfinder.compare(TRACE, None), "None is not a path"),
        (lambda: gapfinder.compare(TRACE, "x" * 5000), f"{'x' * 59}… is too long for a path"),
        (lambda: gapfinder.diagnose_job(1, 2), "1 is not a path"),
        (lambda: gapfinder.convert(TRACE, ""), "the path is empty"),
        (lambda: opened(TRACE).diagnose(gates=[3]), "3 is not a text"),
        (lambda: opened(TRACE).whatif(without=None), "None is not a text"),
        (lambda: opened(TRACE).gaps(cause=3), "3 is not a text"),
        (lambda: opened(TRACE).sql(b"SELECT 1"), "b'SELECT 1' is not a text"),
        (lambda: opened(TRACE).report(""), "the path is empty"),
    ],
)
def test_arguments_of_another_kind_are_refused(call, said):
    with pytest.raises(UsageError, match=re.escape(said)):
        call()


def test_the_command_takes_no_empty_path(command_line):
    done = command_line("diagnose", "")
    assert (done.status, done.output) == (2, "")
    assert "the path is empty" in done.errors


def test_a_job_needs_traces():
    with pytest.raises(UsageError, match="no traces are given"):
        gapfinder.diagnose_job()


@pytest.fixture(scope="module")
def compared():
    return gapfinder.compare(TRACE, FIXED, gates="step>+3%")


@pytest.fixture(scope="module")
def results(compared):
    with gapfinder.open(TRACE) as trace:
        return [trace.diagnose(), trace.whatif(without=["host_sync"]), compared]


@pytest.mark.thorough
def test_results_print_what_the_commands_print(results, command_line):
    diagnosis, whatif, comparison = results
    assert f"{diagnosis}\n" == command_line("diagnose", TRACE).output
    assert f"{whatif}\n" == command_line("whatif", TRACE, "--without", "host_sync").output
    assert f"{comparison}\n" == command_line("compare", TRACE, FIXED, "--fail-on", "step>+3%").output


def test_each_says_in_a_line_what_it_is(compared):
    with gapfinder.open(TRACE, window="0..4") as trace:
        assert repr(trace).startswith("<Trace tokenize_broken.sqlite: NVIDIA H200, 5 steps of 27.")
        assert repr(trace.diagnose()).startswith(f"<Diagnosis of {str(TRACE)!r}: ")
        assert repr(trace.whatif(without=["copy"])) == f"<WhatIf of {str(TRACE)!r}: ['without copy']>"
    assert repr(trace) == "<Trace 'tokenize_broken.sqlite', closed>"
    assert repr(compared).startswith(f"<Comparison of {[str(TRACE), str(FIXED)]}: 1.40 times as fast")


@pytest.mark.thorough
def test_a_comparison_takes_the_choices_and_more_traces():
    told = []
    chosen = {"step": "step", "window": "2..6", "device": 0, "progress": told.append}
    found = gapfinder.compare(str(FIXED), TRACE, TRACE, **chosen, gates=["step>+3%"])
    assert [traced.window.steps for traced in found.traces] == [5, 5, 5]
    assert [gate.passed for gate in found.gates] == [False]
    assert len(found.pairs) == 2
    assert told
    with pytest.raises(UsageError, match="is not a gate"):
        gapfinder.compare("there is no such", "file", gates=["nonsense"])
    with pytest.raises(TraceError, match="does not exist"):
        gapfinder.compare("there is no such", "file")
    with pytest.raises(UsageError, match=r"tokenize_broken\.sqlite: "):
        gapfinder.compare(TRACE, FIXED, step="nothing")


class Elements(HTMLParser):
    """Names of the elements, and the text."""

    def __init__(self, page):
        super().__init__()
        self.found, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, {name for name, _ in attrs}))

    def handle_data(self, data):
        self.text += data


@pytest.mark.thorough
def test_html_is_what_is_printed_with_colours(results):
    for result in results:
        page = Elements(result._repr_html_().partition("<iframe")[0])
        assert {tag for tag, _ in page.found} == {"pre", "span"}
        assert {name for _, names in page.found for name in names} == {"style"}
        assert re.sub(r"\W+", "", page.text) == re.sub(r"\W+", "", str(result))
