"""Hypothesis as the suite wants it: the same examples at every run, however slow the machine."""

from hypothesis import settings

settings.register_profile("suite", max_examples=60, deadline=None, derandomize=True, database=None)
settings.register_profile("search", max_examples=2000, deadline=None, database=None)
settings.load_profile("suite")
