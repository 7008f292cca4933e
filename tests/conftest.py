"""Hypothesis as the suite wants it: the same examples at every run, however slow the machine."""

import os

from hypothesis import Phase, settings

# Making a failing example smaller takes minutes where each is a whole analysis: `--hypothesis-profile=search` does it.
QUICK = (Phase.explicit, Phase.generate)
settings.register_profile("suite", max_examples=40, deadline=None, derandomize=True, database=None, phases=QUICK)
settings.register_profile("search", max_examples=1000, deadline=None, database=None)
settings.register_profile("fuzz", max_examples=100_000, deadline=None, database=None, print_blob=True)
settings.load_profile("suite")

os.environ["XDG_CONFIG_HOME"] = os.devnull  # nobody's own config
