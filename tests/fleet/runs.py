"""Runs of a fleet, as the command makes them."""

from gapfinder.fleet.naming import Naming
from gapfinder.fleet.run import plan_run
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config

TRACES, RANKS = 8, 4


def run(patterns, folder, options=None, *, workers=0, scheduler=None, again=False, told=lambda: None, naming=None):
    """How many traces were examined."""
    plan = plan_run(list(map(str, patterns)), folder, options or Options(), read_config(), naming or Naming(), retry=again)
    plan.run(workers=workers, scheduler=scheduler, on_examined=told)
    return len(plan.todo)
