"""Texts of any length and of any bytes, in every column of a trace that holds text."""

import pytest
from outcome import outcome
from samples import HAVE, altered, full
from synthetic import MS, US, Synthetic
from variations import some

from gapfinder.diagnosis.diagnosis import Diagnosis

TEXTS = [(table, name) for table in HAVE for name in HAVE[table] if name in {"value", "name", "label", "text", "jsonText"}]
FOREIGN = {
    "escapes, another script, quotes": (
        "'\x1b]0;title\x07\x1b[2J' || '时间 Ω שלום \u202e \U0001f600' || '\"; DROP TABLE segments; -- '' \\ %s {0}'"
    ),
    "a NUL within": "CAST(x'6100622f' AS TEXT)",
    "no UTF-8": "CAST(x'ff80fec328' AS TEXT)",
    "half a surrogate": "CAST(x'eda080' AS TEXT)",
    "bytes": "x'00ff10'",
    "no JSON": '\'{"Python Periodic Sampling":{"Frames":[{\'',
    "JSON of other types": """'{"Python Periodic Sampling":{"Frames":[{"File":"x","Line":{}},{"File":1e30},7,null]}}'""",
    "deep JSON": """'{"Python Periodic Sampling":' || replace(hex(zeroblob(5000)), '00', '[')""",
}


@pytest.mark.parametrize("text", some(1, FOREIGN.values()), ids=FOREIGN)
def test_hostile_text_in_every_column_does_no_harm(tmp_path, text):
    """After what was there, so that a name still means what it did; and in place of JSON."""
    before = {name: "''" if name == "jsonText" else f"ifnull({name}, '')" for _, name in TEXTS}
    path = altered(tmp_path, *(f"UPDATE {table} SET {name} = {before[name]} || {text}" for table, name in TEXTS))
    assert getattr(outcome(path), "verdict", None) != "gpu_bound"


def test_name_of_a_million_characters_is_shortened(tmp_path):
    """Of a kernel, a range, an OS call, a thread and a GPU."""
    long = "x" * 1_000_000
    trace = full()
    trace.thread(3, name=long, process=long)
    trace.tables["TARGET_INFO_GPU"][0]["name"] = long
    for start in range(0, 80 * MS, 10 * MS):
        trace.kernel(start + 5 * MS, start + 5200 * US, (start + 30 * US, start + 35 * US), name=long)
        trace.nvtx(long, start + 6 * MS, start + 8 * MS)
        trace.os(f"write{long}", start + 6 * MS, start + 6100 * US)
    found = outcome(trace.write(tmp_path / "t.sqlite"))
    assert isinstance(found, Diagnosis)
    assert found.verdict != "gpu_bound"


def test_many_names_are_shown_in_few_lines(tmp_path):
    """Each kernel and each range has one of its own."""
    trace = Synthetic()
    for number in range(400):
        start = number * MS
        trace.nvtx(f"range {number}", start, start + MS)
        trace.kernel(start, start + 100 * US, (start, start + 5 * US), name=f"kernel {number}")
    found = outcome(trace.write(tmp_path / "t.sqlite"))
    assert isinstance(found, Diagnosis)
    assert found.verdict == "launch_bound"
