"""One small fleet for all tests of it, and its folder as the plain loop makes it."""

import sys
from pathlib import Path

import pytest
from runs import RANKS, TRACES, run

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
from make_fleet import make_fleet


@pytest.fixture(scope="session")
def fleet(tmp_path_factory):
    """A folder with two jobs of four ranks, one of them slow, and what was done to which trace."""
    folder = tmp_path_factory.mktemp("fleet")
    return folder, make_fleet(folder, TRACES, RANKS, damaged=0.25, originals=("module_loading_fixed", "cuda_graph"))


@pytest.fixture(scope="session")
def kept(fleet, tmp_path_factory):
    """The folder that keeps what is found in them."""
    folder = tmp_path_factory.mktemp("kept") / "fleet"
    assert run([fleet[0] / "**/*.sqlite"], folder) == TRACES
    return folder
