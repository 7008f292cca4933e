"""A mistyped command, option or name ends in one line that names what was meant, or what there is."""

import re

import pytest
from click.testing import CliRunner
from processes import Sandbox
from synthetic import MS, Synthetic
from traces import EXPORT

from gapfinder.cli.main import gapfinder

MISTYPED = [
    (("diagnos", EXPORT), "there is no command 'diagnos' (did you mean diagnose?)"),
    (("workload", "prov"), "'prov'. Did you mean 'prove'?"),
    (("diagnose", EXPORT, "--stp", "step"), "there is no option --stp (did you mean --step?)"),
    (("diagnose",), "Missing argument 'TRACE...'. (`"),
    (("gaps", EXPORT, "--cause", ""), "there is no cause ''"),
    (("views", ""), "there is no view ''"),
    (("gaps", EXPORT, "--cause", "host_snc"), "there is no cause 'host_snc' (did you mean host_sync?)"),
    (("diagnose", EXPORT, "--fail-on", "lots>20%"), "'lots' (did you mean lost?)"),
    (("views", "gapz"), "(did you mean gaps?)"),
    (("views", "xyzzyx"), "there is no view 'xyzzyx': without a name, all are listed"),
    (("sql", EXPORT, "FROM gapz"), "gapz does not exist (did you mean gaps?)"),
    (("sql", EXPORT, "FROM xyzzyx"), "xyzzyx does not exist: the view catalogue lists those that there are"),
    (("guide", "repaly"), "(did you mean replay?)"),
    (("workload", "run", "hostsync"), "(did you mean host_sync?)"),
    (("whatif", EXPORT, "--without", "hostsync"), "(did you mean host_sync?)"),
    (("diagnose", EXPORT, "--window", "valdation"), "'valdation' is not a window (did you mean validation?)"),
]


@pytest.mark.parametrize(("arguments", "said"), MISTYPED, ids=lambda value: " ".join(map(str, value[:1])))
def test_what_was_meant_is_named(command_line, arguments, said):
    done = command_line(*arguments)
    assert (done.status, done.output, done.errors.count("\n")) == (2, "", 1)
    assert done.errors.startswith("gapfinder: ")
    assert said in done.errors


def test_a_file_of_a_similar_name_is_named(command_line):
    done = command_line("diagnose", EXPORT.with_name("starved_cuda1.sqlite"))
    assert (done.status, done.output, done.errors.count("\n")) == (3, "", 1)
    assert f"does not exist (did you mean {EXPORT.name}?)" in done.errors


def test_in_a_process_of_its_own(tmp_path):
    done = Sandbox(tmp_path).gapfinder("diagnos", "x")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """Six steps from 10 to 11.1 s, with a range in each."""
    made = Synthetic()
    for start in range(10_000 * MS, 11_200 * MS, 200 * MS):
        made.nvtx("step", start, start + 150 * MS)
        made.nvtx("forward", start + MS, start + 50 * MS)
        made.kernel(start + 10 * MS, start + 100 * MS, (start + 5 * MS, start + 6 * MS))
    made.nvtx("once", 10_000 * MS, 11_200 * MS)
    return made.write(tmp_path_factory.mktemp("steps") / "steps.sqlite")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--step", "stp"), "named 'stp' (did you mean step?); there is step, forward, once"),
        (("--step", "xyz"), "named 'xyz'; there is step, forward, once"),
        (("--window", "5s..6s"), "activities run from 10.010000 s to 11.100000 s"),
        (("--window", "11.15s..11.16s"), "the nearest one runs from 11.010000 s to 11.100000 s"),
        (
            ("--window", "10.12s..10.15s"),
            "it lies in one gap, from 10.100000 s to 10.210000 s; --window 10.010000s..10.300000s has",
        ),
        (("--window", "8..9"), "the trace has 6 steps, counted from 0"),
        (("--device", "3"), "the GPUs with activities are 0"),
        (("--window", "checkpoint"), "the trace has no checkpoint: what was recorded is "),
        (("--window", ""), "the window is empty"),
        (("-o", "x.html"), "`gapfinder report` writes pages"),
    ],
    ids=" ".join,
)
def test_what_the_trace_has_is_listed(command_line, trace, options, said):
    done = command_line("diagnose", trace, *options)
    assert (done.status, done.output, done.errors.count("\n")) == (2, "", 1)
    assert said in done.errors


def test_a_trace_without_ranges_says_so(command_line, tmp_path):
    made = Synthetic()
    made.kernel(0, MS, (0, 1))
    done = command_line("diagnose", made.write(tmp_path / "bare.sqlite"), "--step", "step")
    assert "and the trace has none: without --step" in done.errors


def test_no_summary_is_cut():
    shown = CliRunner().invoke(gapfinder, ["--help"]).output.partition("Commands:")[2]
    assert "..." not in shown
    text = " ".join(shown.split())
    for name in gapfinder.list_commands(None):
        first = re.split(r"(?<=[.])\s", " ".join(gapfinder.get_command(None, name).help.split()))[0]
        assert f"{name} {first}" in text
