"""The rows of an export come in no promised order: in any order the diagnosis is the same."""

import json
import random
import shutil
import sqlite3
from contextlib import closing

import pytest
from traces import FIXTURES, diagnosis
from variations import some

from gapfinder.render.diagnosis.json import render


def shuffled(trace, target, seed):
    """A copy of a trace in which the rows of each table stand in another order."""
    shutil.copyfile(trace, target)
    order = random.Random(seed)
    with closing(sqlite3.connect(target)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
            if not rows:
                continue
            order.shuffle(rows)
            connection.execute(f'DELETE FROM "{table}"')
            values = ", ".join("?" * len(rows[0]))
            connection.executemany(f'INSERT INTO "{table}" VALUES ({values})', rows)
        connection.commit()
    return target


def diagnosed(trace):
    return json.loads(render(diagnosis(trace), width=0, color=False)) | {"trace": None}


# NVTX, ranks, graphs, samples and the GIL, file calls, workers that were not traced
@pytest.mark.parametrize(
    "file",
    some(1, ["item_broken", "ddp_straggler_broken", "cuda_graph_nodes", "pysample_gil", "pysample_checkpoint", "workers_broken"]),
)
def test_the_order_of_rows_does_not_matter(tmp_path, file):
    trace = FIXTURES / f"{file}.sqlite"
    assert diagnosed(shuffled(trace, tmp_path / f"{file}.sqlite", seed=file)) == diagnosed(trace)
