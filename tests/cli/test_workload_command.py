"""`gapfinder workload`: what is listed, what is proved, and what is missing where it cannot be."""

import sys

import pytest
from click.testing import CliRunner
from processes import Sandbox
from traces import FIXTURES
from variations import some

from gapfinder.cli.main import gapfinder
from gapfinder.workload import scripts


def invoke(*arguments):
    return CliRunner().invoke(gapfinder, ["workload", *map(str, arguments)])


def test_list_names_each_with_its_program():
    listed = invoke("list").output.splitlines()
    assert [line.split()[0] for line in listed] == [workload.name for workload in scripts.all_workloads()]
    assert next(line for line in listed if line.startswith("communication")).endswith("Needs 2 GPUs.")


def test_the_planted_lines():
    for workload in scripts.all_workloads():
        where = "" if workload.rank is None else f" on rank {workload.rank}"
        assert workload.path.read_text().splitlines()[workload.line - 1].endswith(f"# plants: {workload.cause}{where}")
    assert {(workload.name, workload.rank) for workload in scripts.all_workloads() if workload.rank is not None} == {
        ("slow_rank", 1),
        ("sharded_slow_rank", 0),
    }


@pytest.mark.parametrize("causes", some(1, [["module_loading"], ["host_sync", "module_loading"]]), ids=", ".join)
def test_what_was_kept_is_proved(causes):
    done = invoke("prove", *causes, "--kept", FIXTURES, "--format", "markdown")
    assert done.exit_code == 0
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in done.stdout.splitlines()[2:]]
    verdicts = [("faulty", "{}"), ("fixed", "gpu_bound"), ("control", "no finding")]
    assert [tuple(row[1:3]) for row in cells] == [(program, told.format(cause)) for cause in causes for program, told in verdicts]
    assert [row[0] for row in cells] == [name for cause in causes for name in (cause, "", "")]


@pytest.mark.thorough
def test_a_proof_that_fails(tmp_path):
    for variant in ("faulty", "fixed", "control"):  # the control has the fault, and the fix brings nothing
        (tmp_path / f"host_sync_{variant}.sqlite").symlink_to(FIXTURES / "module_loading_faulty.sqlite")
    done = invoke("prove", "host_sync", "--kept", tmp_path)
    assert done.exit_code == 1
    for doubt in ("the verdict is module_loading", "the fix makes it 1.00 times as fast", "the control has module_loading"):
        assert doubt in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["prove"], "name a workload, or give --all"),
        (["prove", "nothing"], "there is no workload 'nothing'; the workloads are changing_slow_rank,"),
        (["prove", "launch_bound", "--kept", FIXTURES], "has neither launch_bound_fixed.nsys-rep nor"),
        (["run", "nothing"], "there is no workload 'nothing'"),
    ],
)
def test_wrong_usage(command_line, arguments, said):
    done = command_line("workload", *arguments)
    assert (done.status, done.output) == (2, "")
    assert said in done.errors


def test_without_nsys(tmp_path):
    sandbox = Sandbox(tmp_path)
    sandbox.environment |= {"GAPFINDER_NSYS": "", "PATH": str(tmp_path)}
    done = sandbox.gapfinder("workload", "prove", "host_sync")
    assert (done.returncode, done.stdout) == (3, "")
    assert "no nsys was found" in done.stderr or "torch" in done.stderr


def test_without_a_gpu(monkeypatch, command_line):
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    monkeypatch.setenv("GAPFINDER_NSYS", sys.executable)  # is there, and not asked for anything before the GPUs
    done = command_line("workload", "prove", "host_sync")
    assert (done.status, done.output) == (3, "")
    assert done.errors.endswith("host_sync needs 1 CUDA GPU, and torch finds 0: prove it on a machine with enough GPUs\n")


@pytest.mark.parametrize("arguments", [("run", "host_sync", "--device", "cpu"), ("prove", "host_sync")], ids=" ".join)
def test_without_torch_one_line_says_what_to_install(monkeypatch, command_line, arguments):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr("gapfinder.ingest.nsys.report.require", lambda: None)
    done = command_line("workload", *arguments)
    assert (done.status, done.output, done.errors.count("\n")) == (3, "", 1)
    assert "workloads need PyTorch" in done.errors
    assert "pip install torch" in done.errors
