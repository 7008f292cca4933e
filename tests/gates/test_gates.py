"""Gates: what may be written, what it means, and what a process that fails one looks like."""

import json
import xml.etree.ElementTree as ET

import pytest
from processes import Sandbox
from synthetic import MS, US, Synthetic
from traces import FIXTURES, opened
from variations import some

from gapfinder.diagnosis.diagnose import diagnose
from gapfinder.diagnosis.quantities import quantities_of
from gapfinder.errors import UsageError
from gapfinder.gates.check import Quantities, check
from gapfinder.gates.expression import parse, quantities
from gapfinder.gates.gate import GateResult
from gapfinder.pipeline.cause_spec import NEEDS
from gapfinder.pipeline.causes import built_in
from gapfinder.render.junit import junit

BROKEN, FIXED = FIXTURES / "tokenize_broken.sqlite", FIXTURES / "tokenize_fixed.sqlite"
NOTHING = dict.fromkeys(quantities(built_in()), 0.0)
AFTER = Quantities(10 * MS, NOTHING | {"step": 1.0, "compute": 0.7, "lost": 0.3, "copy": 0.05}, {})
BEFORE = Quantities(8 * MS, NOTHING | {"step": 1.0, "compute": 0.9, "lost": 0.1, "host_sync": 0.1}, {})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("lost>20%", ("lost", ">", 20, "%", False)),
        (" lost > 20 % ", ("lost", ">", 20, "%", False)),
        ("compute<=80.5%", ("compute", "<=", 80.5, "%", False)),
        ("host_sync>0.5ms", ("host_sync", ">", 0.5, "ms", False)),
        ("step>=1s", ("step", ">=", 1, "s", False)),
        ("unexplained>0ns", ("unexplained", ">", 0, "ns", False)),
        ("step>+3%", ("step", ">", 3, "%", True)),
        ("copy<-10us", ("copy", "<", -10, "us", True)),
    ],
)
def test_what_may_be_written(text, parts):
    gate = parse(text, built_in(), changes=True)
    assert (gate.quantity, gate.sign, gate.limit, gate.unit, gate.change) == parts
    assert gate.text == text.strip()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a gate"),
        ("lost", "in quotes"),
        ("lost>20", "a limit with %"),
        ("lost=20%", "> >= < <="),
        ("lost>20%%", "is not a gate"),
        ("lost>100%", "is never true"),
        ("step<0ns", "is never true"),
        ("lost>twenty%", "is not a gate"),
        ("lost>1e3%", "is not a gate"),
        ("step>5h", "ns us ms or s"),
        ("sync>1ms", "host_sync, input_pipeline"),
        ("step>20%", "has no percentage"),
        ("lost>20%\n", None),
    ],
)
def test_what_may_not(text, says):
    if says is None:
        assert parse(text, built_in(), changes=False)
        return
    with pytest.raises(UsageError, match=says) as refused:
        parse(text, built_in(), changes=False)
    assert "\n" not in str(refused.value)


def test_a_change_needs_something_before():
    with pytest.raises(UsageError, match="only compare can check"):
        parse("step>+3%", built_in(), changes=False)


def test_every_cause_can_be_gated():
    assert {"step", "compute", "lost", "unexplained", *built_in()} == set(quantities(built_in()))


@pytest.mark.parametrize(
    ("text", "passed", "found"),
    [
        ("lost>20%", False, "found 30.00 %"),
        ("lost>30%", True, "found 30.00 %"),
        ("lost>=30%", False, "found 30.00 %"),
        ("lost>29.999%", False, "found 30.00 %"),
        ("lost>29.9996%", False, "found 30.00 %"),
        ("compute<80%", False, "found 70.00 %"),
        ("copy>0.5ms", True, "found 0.50 ms a step"),
        ("copy>499us", False, "found 500.00 us a step"),
        ("step>10ms", True, "found 10.00 ms"),
        ("step>9.999ms", False, "found 10.00 ms"),
        ("host_sync>0ns", True, "found 0.00 ns a step"),
        ("step>+3%", False, "found +25.00 %"),
        ("step>+25%", True, "found +25.00 %"),
        ("step>+1ms", False, "found +2.00 ms"),
        ("lost>+200%", False, "found +275.00 %"),
        ("compute<-10%", True, "found -2.78 %"),
        ("host_sync<-0.5ms", False, "found -0.80 ms a step"),
        ("copy>+1%", False, "found 500 us a step, and none before"),
        ("copy<+1%", True, "found 500 us a step, and none before"),
        ("unexplained>+1%", True, "found +0.00 %"),
    ],
)
def test_what_it_means(text, passed, found):
    checked = check(parse(text, built_in(), changes=True), AFTER, BEFORE)
    assert (checked.passed, checked.result) == (passed, found)


def test_found_is_told_apart_from_the_limit():
    checked = check(parse("step>10ms", built_in(), changes=False), Quantities(10 * MS + 2, AFTER.shares, {}))
    assert (checked.passed, checked.result) == (False, "found 10.000002 ms")


def test_what_cannot_be_known_fails():
    unknown = Quantities(None, AFTER.shares, {"copy": "no copies"})
    for text in ("step>1s", "lost>1s", "copy>99%", "copy<99%"):
        checked = check(parse(text, built_in(), changes=False), unknown)
        assert not checked.passed
        assert checked.value is None
        assert checked.result.startswith("cannot be known: no ")
    assert check(parse("lost>40%", built_in(), changes=False), unknown).passed
    change = parse("step>+99%", built_in(), changes=True)
    assert not check(change, AFTER, unknown).passed
    assert check(change, AFTER, BEFORE, "other GPUs").result == "cannot be known: other GPUs"


def loop(*, calls=True, os_calls=True, nvtx=True, switches=True, turns=True):
    trace = Synthetic()
    for start in range(0, 100 * MS, 10 * MS):
        trace.kernel(start, start + 5 * MS, (start, start + 5 * US) if calls else None)
        trace.kernel(start + 5 * MS, start + 6 * MS, (start + US, start + 5 * US) if calls else None, name="other")
        if nvtx:
            trace.nvtx("step", start, start + 9 * MS)
        if os_calls:
            trace.os("write", start + 7 * MS, start + 8 * MS)
    if switches:
        trace.off_core(0, US)
    if turns:
        trace.gpu_turn(0, 100 * MS)
    return trace


def unknown(trace):
    with trace.analysed() as analysis:
        return set(quantities_of(analysis, diagnose(analysis)).unknown)


def with_a_graph(trace):
    trace.graph(3 * MS, 4 * MS, (0, 5 * US))
    return trace


def with_a_rank(trace):
    trace.kernel(96 * MS, 98 * MS, (95 * MS, 95 * MS + US), name="ncclDevKernel_AllReduce")
    return trace


OF_OS_CALLS, OF_GRAPHS, OF_RANKS = (
    {"lock_contention", "storage_io", "host_compute", "no_demand"},
    {"queue_latency", "stream_dependency"},
    {"rank_imbalance", "communication"},
)


@pytest.mark.parametrize(
    ("trace", "causes"),
    some(
        4,
        [
            (loop(), set()),
            (loop(os_calls=False), OF_OS_CALLS),
            (loop(calls=False), set(quantities(built_in()))),
            (loop(switches=False), {"cpu_contention"}),
            (loop(os_calls=False, nvtx=False), OF_OS_CALLS | {"input_pipeline"}),
            (loop(turns=False), {"gpu_contention"}),
            (
                with_a_graph(with_a_rank(loop(switches=False, turns=False))),
                OF_GRAPHS | OF_RANKS | {"cpu_contention", "gpu_contention"},
            ),
            (with_a_graph(loop()), OF_GRAPHS),
            (with_a_rank(loop()), OF_RANKS),
        ],
    ),
)
def test_what_a_trace_cannot_tell(trace, causes):
    assert unknown(trace) == causes


def test_what_a_cause_may_need_is_what_a_trace_is_asked_for():
    assert opened(FIXED).sql("SELECT need FROM requirements")["need"].to_list() == [*NEEDS]


def test_a_command_that_passes(command_line):
    done = command_line("diagnose", BROKEN, "--fail-on", "lost>40%", "--fail-on", "step>100ms")
    assert (done.status, done.errors) == (0, "")
    assert done.output.endswith("Gates\n    passed  lost>40%: found 28.90 %\n    passed  step>100ms: found 27.13 ms\n")


def test_a_process_that_fails(tmp_path, command_line):
    done = Sandbox(tmp_path).gapfinder("diagnose", BROKEN, "--fail-on", "lost>20%", "--fail-on", "step>100ms", "--format", "json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["gates"] == [
        {"gate": "lost>20%", "passed": False, "result": "found 28.90 %", "value": pytest.approx(28.90, abs=0.01)},
        {"gate": "step>100ms", "passed": True, "result": "found 27.13 ms", "value": pytest.approx(27.13, abs=0.01)},
    ]
    assert done.stderr.splitlines() == [
        "FAILED  lost>20%: found 28.90 %",
        "passed  step>100ms: found 27.13 ms",
        "gapfinder: 1 of 2 gates failed",
    ]
    output = tmp_path / "out.md"
    done = command_line("diagnose", BROKEN, "--fail-on", "lost>20%", "--format", "markdown", "-o", output)
    assert (done.status, done.output) == (1, "")
    assert done.errors.splitlines()[0] == "FAILED  lost>20%: found 28.90 %"
    assert "| lost\\>20% | found 28\\.90 % | FAILED |" in output.read_text()


@pytest.mark.thorough
def test_junit_of_a_command(command_line):
    done = command_line("compare", FIXED, BROKEN, "--format", "junit", "--fail-on", "step>+3%", "--fail-on", "storage_io>1ms")
    assert done.status == 1
    root = ET.fromstring(done.output)
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert [case.get("name") for case in root.iter("testcase")] == ["step>+3%", "storage_io>1ms"]
    assert [failure.get("message") for failure in root.iter("failure")] == ["found +39.95 %"]
    command, gate = root.find(".//failure").text.splitlines()
    assert (command.split()[:2], gate) == (["gapfinder", "compare"], "FAILED  step>+3%: found +39.95 %")
    assert len(done.errors.splitlines()) == 3


@pytest.mark.parametrize(
    "arguments",
    [("diagnose", BROKEN, "--format", "junit"), ("compare", BROKEN, FIXED, "--fail-on", "step>20%")],
    ids=["no gate", "no share"],
)
def test_wrong_usage_of_a_command(command_line, arguments):
    done = command_line(*arguments)
    assert (done.status, done.output) == (2, "")
    assert done.errors.count("\n") == 1


def test_junit_is_xml_whatever_a_path_holds():
    evil = "a\x1b[31m\x00\ufffe\ud800<&\"'>]]>\n.sqlite"
    root = ET.fromstring(junit("diagnose", [evil], [GateResult("lost>1%", passed=False, result=evil, value=None)]))
    assert root.find("testsuite").get("name").startswith("gapfinder diagnose a")
    assert root.find(".//failure").get("message").endswith("<&\"'>]]>�.sqlite")
