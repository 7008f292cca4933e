"""What all tests share: Hypothesis as the suite wants it, and the command line without a process."""

import atexit
import gc
import os
import sys

import pytest
import traces
from hypothesis import Phase, settings
from processes import Done, Sandbox
from traces import opened

from gapfinder.cli.main import main

# The same examples at every run, however slow the machine. Making a failing one smaller takes minutes where each is a whole
# analysis: `--hypothesis-profile=search` does it.
QUICK = (Phase.explicit, Phase.generate)
settings.register_profile("suite", max_examples=8, deadline=None, derandomize=True, database=None, phases=QUICK)
settings.register_profile("thorough", max_examples=32, deadline=None, derandomize=True, database=None, phases=QUICK)
settings.register_profile("search", max_examples=1000, deadline=None, database=None)
settings.register_profile("fuzz", max_examples=100_000, deadline=None, database=None, print_blob=True)
settings.load_profile("suite")

os.environ["XDG_CONFIG_HOME"] = os.devnull  # nobody's own config

if "PYTEST_XDIST_WORKER" in os.environ:
    # torch, and readers of damaged files, keep frames for ever, and nanobind lists all that these refer to on 80 lines
    atexit.register(os._exit, 0)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    if not config.option.markexpr:  # all tests, with `-m ''`
        settings.load_profile("thorough")
    if config.getoption("hypothesis_profile") == "fuzz":
        config.option.timeout = 0  # by hand, a test may look for hours


@pytest.fixture(scope="session", autouse=True)
def _what_processes_share(tmp_path_factory):
    """Diagnoses of fixtures, in a folder that pytest makes for each run and removes after the third one."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        traces.SHARED = tmp_path_factory.getbasetemp().parent


def pytest_collection_finish():
    gc.freeze()  # what was loaded for all tests is not searched for garbage during each


def pytest_sessionfinish():
    gc.unfreeze()
    opened.cache_clear()  # at its exit DuckDB tells of leaks where something is open


@pytest.fixture
def sandbox(tmp_path):
    """Folders of its own for a process; a file of tests may add to them."""
    return Sandbox(tmp_path)


@pytest.fixture
def command_line(monkeypatch, capfd):
    """The command line in this process, half a second sooner. It returns what a process would."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gapfinder", *map(str, arguments)])
        monkeypatch.setattr(os, "_exit", sys.exit)
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        return Done(left.value.code, *capfd.readouterr())

    return run
