"""A fuzzer over the bytes of an export, and over its tables with any value in any column.

A few examples in each run of the suite. By hand, for as long as one likes (10,000 examples of each take hours):

    python -m pytest tests/damage/test_fuzz.py --hypothesis-profile=fuzz

What it finds belongs into test_finds.py, as small as it can be.
"""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outcome import outcome
from samples import BROKEN, HAVE, full

CHEAP = max(5, settings.default.max_examples // 12)  # each is a whole analysis
PAGE_BYTES = 4096

places = st.floats(0, 1, exclude_max=True)
PLANTED = (
    "\0",
    "\x1b[2J",
    "'; DROP TABLE activities; --",
    '{"Python Periodic Sampling":{"Frames":[{"File":"x"}]}}',
    "nccl",
    "cudaLaunchKernel",
    "cudaStreamSynchronize",
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(PLANTED)
EDGES = [sign * (1 << bits) + off for bits in (0, 8, 24, 31, 32, 48, 53, 62) for sign in (-1, 1) for off in (-1, 0, 1)]
numbers = st.integers(-(1 << 63), (1 << 63) - 1) | st.sampled_from(EDGES) | st.integers(-5, 100) | st.floats()
values = st.none() | numbers | texts | st.binary(max_size=9)
columns = st.sampled_from([(table, column) for table in HAVE for column in HAVE[table]])
rows = st.sampled_from(["true", "rowid = 1", "rowid = 4", "rowid % 3 = 1", "rowid > 5"])
shifts = st.tuples(st.just("shift"), columns, rows, st.integers(-(10**10), 10**10))
changes = st.lists(
    st.tuples(st.just("set"), columns, rows, values)
    | shifts
    | st.tuples(st.sampled_from(["double", "delete"]), columns, rows, st.none()),
    min_size=1,
    max_size=5,
)


def assert_sound(path):
    """Whatever became of it, it is not healthy."""
    assert getattr(outcome(path), "verdict", None) != "gpu_bound"


def change(database, kind, column, where, value):
    table, name = column
    if kind == "set":
        database.execute(f'UPDATE "{table}" SET "{name}" = ? WHERE {where}', (value,))
    elif kind == "shift":
        database.execute(f'UPDATE "{table}" SET "{name}" = "{name}" + ? WHERE {where}', (value,))
    elif kind == "double":
        database.execute(f'INSERT INTO "{table}" SELECT * FROM "{table}" WHERE {where}')
    else:
        database.execute(f'DELETE FROM "{table}" WHERE {where}')


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    return full().write(tmp_path_factory.mktemp("whole") / "t.sqlite").read_bytes()


@settings(max_examples=CHEAP)
@given(changes)
def test_any_value_in_any_column_gives_no_traceback(content, done):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.sqlite"
        path.write_bytes(content)
        with closing(sqlite3.connect(path)) as database:
            for what in done:
                change(database, *what)
            database.commit()
        assert_sound(path)


edits = st.lists(
    st.tuples(st.just("write"), places, st.binary(min_size=1, max_size=8))
    | st.tuples(st.just("flip"), places, st.integers(0, 7))
    | st.tuples(st.just("page"), places, places)
    | st.tuples(st.just("zero"), places, st.integers(1, PAGE_BYTES)),
    min_size=1,
    max_size=6,
)


def edit(content, kind, place, how):
    at = int(place * len(content))
    if kind == "write":
        content[at : at + len(how)] = how
    elif kind == "flip":
        content[at] ^= 1 << how
    elif kind == "zero":
        content[at : at + how] = bytes(len(content[at : at + how]))
    else:
        here, there = at // PAGE_BYTES * PAGE_BYTES, int(how * len(content)) // PAGE_BYTES * PAGE_BYTES
        content[here : here + PAGE_BYTES] = content[there : there + PAGE_BYTES]


@settings(max_examples=CHEAP)
@given(st.booleans(), edits)
def test_any_bytes_in_the_file_give_no_traceback(content, real, done):
    changed = bytearray(BROKEN[0].read_bytes() if real else content)
    for what in done:
        edit(changed, *what)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.sqlite"
        path.write_bytes(changed)
        assert_sound(path)
