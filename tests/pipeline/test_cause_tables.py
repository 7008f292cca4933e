"""The macros that list the patterns of a text find what a join with the table of patterns finds."""

import duckdb
import pytest

from gapfinder.pipeline.cause_tables import macros
from gapfinder.pipeline.config import read_config

CONFIG = read_config(users=False)
ODD = ["a'b", "^(?i:Feeder)$", "x|y", "100%", "it\\b"]
TEXTS = ["load_batch", "LOAD_BATCH", "feeder", "a'b 100%", "it is y", "torch/utils/data/fetch.py:fetch < main.py:main", "", None]


@pytest.mark.parametrize("patterns", [{}, CONFIG.patterns, {"copy": ODD, "host_sync": ["x|y"]}], ids=["none", "own", "odd"])
def test_the_patterns_of_a_name_are_those_that_match_it(patterns):
    with duckdb.connect() as connection:
        for macro in macros(CONFIG.causes.values(), patterns):
            connection.execute(macro.sql)
        every = {pattern for own in patterns.values() for pattern in own}
        for text in TEXTS:
            joined = {
                p for p in every if connection.execute("SELECT regexp_matches($1, $2, 'i')", [text, p]).fetchone() == (True,)
            }
            ((listed,),) = connection.execute("SELECT patterns_of_name($1)", [text]).fetchall()
            assert sorted(listed) == sorted(joined)


def test_the_patterns_of_a_stack_heed_the_case():
    with duckdb.connect() as connection:
        for macro in macros(CONFIG.causes.values(), {}):
            connection.execute(macro.sql)
        listed = connection.execute("SELECT patterns_of_stack($1), patterns_of_stack(upper($1))", [TEXTS[5]]).fetchall()
    assert listed == [(["torch/utils/data/"], [])]
