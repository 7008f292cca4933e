"""Each cause has a workload that plants it, and each workload runs where there is no GPU, at toy size."""

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(path for path in (ROOT / "workloads").glob("*.py") if path.name != "harness.py")
CAUSES = sorted(path.stem for path in (ROOT / "sql" / "4_causes").glob("*.sql"))
VARIANTS = {"faulty": [], "fixed": ["--fixed"], "control": ["--control"]}
NO_GPU = 3

each_script = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
each_variant = pytest.mark.parametrize("variant", VARIANTS)


def of_ranks(script):
    return "# needs: " in script.read_text()


def planted(script):
    return re.findall(r"# plants: (\w+)$", script.read_text(), re.MULTILINE)


@pytest.fixture
def run(monkeypatch):
    """Runs a script with these arguments in this process, which has loaded torch."""

    def run(script, *arguments):
        monkeypatch.setattr(sys, "argv", [str(script), *arguments])
        monkeypatch.syspath_prepend(str(script.parent))
        runpy.run_path(str(script), run_name="__main__")

    monkeypatch.setenv("USE_PYTORCH_KERNEL_CACHE", "0")  # what a script sets ends with the test
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield run
    torch.set_num_threads(threads)


def test_each_cause_is_planted_once():
    assert sorted(cause for script in SCRIPTS for cause in planted(script)) == CAUSES


@each_script
def test_a_script_is_named_after_its_cause(script):
    # copy.py would be what every `import copy` in this folder finds
    assert [script.stem.removeprefix("pageable_")] == planted(script)


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


@each_variant
@pytest.mark.parametrize("script", [script for script in SCRIPTS if not of_ranks(script)], ids=lambda script: script.stem)
def test_it_runs_at_toy_size(script, variant, run, capfd):
    run(script, "--device", "cpu", "--steps", "2", *VARIANTS[variant])
    assert_printed(script, variant, capfd.readouterr().out)


# torch refuses to fork where it has run a backward pass, so these have a process of their own
@each_variant
@pytest.mark.parametrize("script", [script for script in SCRIPTS if of_ranks(script)], ids=lambda script: script.stem)
def test_its_ranks_run_at_toy_size(script, variant):
    command = [sys.executable, str(script), "--device", "cpu", "--steps", "2", *VARIANTS[variant]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert_printed(script, variant, done.stdout)
    assert done.stdout.count("steps of") == 1


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@each_script
def test_without_a_gpu_it_says_so(script, run, capfd):
    with pytest.raises(SystemExit) as ended:
        run(script)
    assert ended.value.code == NO_GPU
    assert re.fullmatch(rf"{script.stem}: .+ --device cpu\n", capfd.readouterr().err)


@pytest.mark.parametrize("script", [script for script in SCRIPTS if of_ranks(script)], ids=lambda script: script.stem)
def test_with_too_few_gpus_it_says_how_many_it_needs(script, run, capfd, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(SystemExit) as ended:
        run(script)
    assert ended.value.code == NO_GPU
    assert capfd.readouterr().err == f"{script.stem}: needs 2 GPUs, and torch finds 1; try --device cpu\n"
