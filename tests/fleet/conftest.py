"""One small fleet for all tests of it, and its ledger as the plain loop makes it."""

import sys
from pathlib import Path

import pytest

from gapfinder.config import read_config
from gapfinder.fleet.naming import Naming
from gapfinder.fleet.run import planned
from gapfinder.options import Options

sys.path.append(str(Path(__file__).parents[1] / "benchmark"))
from make_fleet import make_fleet  # noqa: E402

TRACES, RANKS = 14, 7


def run(patterns, folder, options=None, *, workers=0, scheduler=None, again=False, told=lambda: None, naming=None):
    """How many traces were examined."""
    plan = planned(list(map(str, patterns)), folder, options or Options(), read_config(), naming or Naming(), again=again)
    plan.run(workers=workers, scheduler=scheduler, examined_one=told)
    return len(plan.todo)


@pytest.fixture(scope="session")
def fleet(tmp_path_factory):
    """A folder with two jobs of seven ranks, the third of them slow, and what was done to which trace."""
    folder = tmp_path_factory.mktemp("fleet")
    return folder, make_fleet(folder, TRACES, RANKS, damaged=0.15, originals=("module_loading_fixed", "cuda_graph"))


@pytest.fixture(scope="session")
def ledger(fleet, tmp_path_factory):
    """The folder of the ledger."""
    folder = tmp_path_factory.mktemp("ledger") / "ledger"
    assert run([fleet[0] / "**/*.sqlite"], folder) == TRACES
    return folder
