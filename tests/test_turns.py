"""Two threads share the files of a layer."""

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from gapfinder import layers
from gapfinder.turns import Turns


def shared(needs, lead, help_):
    """What each of the two raised."""
    turns = Turns(needs)
    with ThreadPoolExecutor(2) as pool:
        return [done.exception(10) for done in (pool.submit(turns.lead, lead), pool.submit(turns.help, help_))]


@pytest.mark.parametrize("layer", layers.computed())
@pytest.mark.parametrize("seed", range(5))
def test_each_file_runs_once_and_after_what_it_reads(layer, seed):
    needs, random, done = layers.mentioned(layer), Random(seed), []

    def run(file):
        assert set(needs[file]) <= {*done}
        time.sleep(random.random() / 1000)
        done.append(file)

    assert shared(needs, run, run) == [None, None]
    assert sorted(done) == sorted(needs)


@pytest.mark.parametrize("leading", [True, False])
def test_a_failure_ends_both(leading):
    def run(_):
        time.sleep(0.001)

    def fail(_):
        raise ValueError

    needs = layers.mentioned("1_source")
    errors = shared(needs, *((fail, run) if leading else (run, fail)))
    assert [type(error) for error in errors] == ([ValueError, type(None)] if leading else [type(None), ValueError])
