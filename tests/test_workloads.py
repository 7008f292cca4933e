"""Each cause has a workload that plants it, and each workload runs where there is no GPU, at toy size."""

import ast
import re
import runpy
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

import forked_workloads
import pytest
from variations import one_of_each

if not find_spec("torch"):
    pytest.skip("there is no torch: pip install torch", allow_module_level=True)

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(path for path in (ROOT / "workloads").glob("*.py") if path.name != "harness.py")
CAUSES = sorted(path.stem for path in (ROOT / "sql" / "trace" / "40_causes").glob("*.sql") if path.stem != "unexplained")
VARIANTS = {"faulty": [], "fixed": ["--fixed"], "control": ["--control"]}
NO_GPU = 3

each_script = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)


def gpus(script):
    needs = re.search(r"^# needs: (\d+) GPUs$", script.read_text(), re.MULTILINE)
    return int(needs[1]) if needs else 1


def planted(script):
    return re.findall(r"# plants: (\w+)(?: on rank \d+)?$", script.read_text(), re.MULTILINE)


# copy.py would be what every `import copy` in this folder finds
NAMES = {cause: "pageable_copy" if cause == "copy" else cause for cause in CAUSES}
OF_RANKS = [script for script in SCRIPTS if gpus(script) > 1]
each_of_ranks = pytest.mark.parametrize("script", OF_RANKS, ids=lambda script: script.stem)


@pytest.fixture(scope="module")
def torch():
    """Loaded by the process that runs these tests, and not by all that collect them: it takes a second."""
    return pytest.importorskip("torch")


@pytest.fixture
def run(monkeypatch, torch):  # noqa: ARG001  what a script loads is there
    """Runs a script with these arguments in this process, which has loaded torch."""

    def run(script, *arguments):
        monkeypatch.setattr(sys, "argv", [str(script), *arguments])
        monkeypatch.syspath_prepend(str(script.parent))
        runpy.run_path(str(script), run_name="__main__")

    monkeypatch.setenv("USE_PYTORCH_KERNEL_CACHE", "0")  # what a script sets ends with the test
    return run


@pytest.mark.parametrize("cause", CAUSES)
def test_each_cause_has_a_script_of_its_name(cause):
    assert planted(ROOT / "workloads" / f"{NAMES[cause]}.py") == [cause]


def test_other_scripts_are_jobs_of_several_ranks():
    others = [script for script in SCRIPTS if script.stem not in NAMES.values()]
    assert [script for script in others if gpus(script) == 1] == []
    assert {cause for script in others for cause in planted(script)} <= {*CAUSES, "pipeline_bubble"}
    assert {len(planted(script)) for script in others} == {1}


@each_script
def test_a_script_shadows_no_module_of_the_standard_library(script):
    assert script.stem not in sys.stdlib_module_names


@each_script
def test_the_docstring_tells_program_fault_fix_and_control(script):
    program, _, rest = ast.get_docstring(ast.parse(script.read_text())).partition("\n\n")
    assert program.endswith(".")
    assert "\n" not in program
    assert re.findall(r"^(\w+): ", rest, re.MULTILINE) == ["Fault", "Fix", "Control"]


def assert_printed(script, variant, printed):
    assert re.search(rf"^{script.stem} {variant}: 2 steps of \d+\.\d{{3}} ms$", printed, re.MULTILINE)


# Each script in one of its variants, and each variant of some script, first.
TURNS = [
    (script, [*VARIANTS][(place + turn) % len(VARIANTS)]) for place, script in enumerate(SCRIPTS) for turn in range(len(VARIANTS))
]


@pytest.mark.parametrize(
    ("script", "variant"),
    one_of_each(lambda script, _: script, TURNS),
    ids=[f"{script.stem}-{variant}" for script, variant in TURNS],
)
def test_it_runs_at_toy_size(script, variant, tmp_path):
    output = tmp_path / "said"
    statuses = forked_workloads.run(script, ["--device", "cpu", "--steps", "2", *VARIANTS[variant]], output)
    said = output.read_text()
    assert statuses == [0], said
    assert_printed(script, variant, said)
    assert said.count("steps of") == 1


def of_a_job(rank, port):
    """What torchrun gives a process, one of two."""
    return {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}


def test_each_rank_may_be_a_process_of_its_own(tmp_path):
    script, output = ROOT / "workloads" / "communication.py", tmp_path / "said"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environments = [of_a_job(rank, port) for rank in (0, 1)]
    statuses = forked_workloads.run(script, ["--device", "cpu", "--steps", "2"], output, environments)
    assert statuses == [0, 0], output.read_text()
    assert_printed(script, "faulty", output.read_text())


def test_a_rank_of_too_many_says_how_many_there_are(run, capfd, monkeypatch):
    for name, value in (of_a_job(0, 1) | {"WORLD_SIZE": "3"}).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        run(ROOT / "workloads" / "communication.py", "--device", "cpu")
    assert ended.value.code == NO_GPU
    why = "communication: has 2 ranks: start 2 processes, each with its RANK, and WORLD_SIZE=2\n"
    assert capfd.readouterr().err == why


@each_script
def test_without_a_gpu_it_says_so(script, run, capfd, torch):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(SystemExit) as ended:
        run(script)
    assert ended.value.code == NO_GPU
    assert re.fullmatch(rf"{script.stem}: .+ --device cpu\n", capfd.readouterr().err)


@each_of_ranks
def test_with_too_few_gpus_it_says_how_many_it_needs(script, run, capfd, monkeypatch, torch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(SystemExit) as ended:
        run(script)
    assert ended.value.code == NO_GPU
    assert capfd.readouterr().err == f"{script.stem}: needs {gpus(script)} GPUs, and torch finds 1; try --device cpu\n"
