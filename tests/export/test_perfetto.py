"""What Perfetto's own trace processor reads of an export is what gapfinder found, to the nanosecond."""

import json
import random
from collections import Counter
from contextlib import contextmanager

import pytest
from click.testing import CliRunner
from synthetic import MAIN, MS, US, Synthetic, thread
from test_hostile_names import EVIL
from trace_processor import loaded
from traces import FIXTURES, analysis, opened
from variations import some

from gapfinder.cli.main import gapfinder
from gapfinder.export import exporter
from gapfinder.options import Options, Window

GPUS = 16777217  # the process of GPU 0
# Two GPUs; activities that overlap on a stream; a graph's nodes, with one launch for all; waits for the GIL; an old schema.
TRACES = ("ddp_straggler_broken", "loader_broken", "cuda_graph_nodes", "pysample_gil", "starved_cuda12")
SLICES = """
SELECT s.id, s.ts, s.dur, s.name, s.category, s.arg_set_id, t.tid, t.name AS thread, p.pid, p.name AS process
FROM slice AS s JOIN thread_track AS k ON k.id = s.track_id JOIN thread AS t USING (utid) JOIN process AS p USING (upid)
"""


@contextmanager
def exported(trace, folder):
    """The trace processor with an export loaded, and slices as a view."""
    exporter("perfetto").write(trace, folder / "out.json")
    with loaded(folder / "out.json") as processor:
        processor.rows(f"CREATE VIEW drawn AS {SLICES}")
        yield processor


@pytest.fixture(scope="module", params=some(2, TRACES))
def both(request, tmp_path_factory):
    trace = opened(FIXTURES / f"{request.param}.sqlite")
    with exported(trace, tmp_path_factory.mktemp("export")) as processor:
        yield trace, processor


def zero(trace):
    return trace.rows("SELECT zero_ns FROM tracked_span")[0]["zero_ns"]


def rows(trace, query):
    return [tuple(row.values()) for row in trace.rows(query)]


def test_nothing_is_lost_in_reading(both):
    _, processor = both
    assert processor.rows("SELECT name, value FROM stats WHERE severity <> 'info' AND value > 0") == []
    assert processor.rows("SELECT min(ts) FROM slice") == [(0,)]


def test_causes_add_up_to_the_ledger(both):
    trace, processor = both
    found = processor.rows(f"SELECT pid - {GPUS}, name, sum(dur), count(*) FROM drawn WHERE category = 'cause' GROUP BY 1, 2")
    assert sorted(found) == sorted(rows(trace, "SELECT gpu, CAST(cause AS VARCHAR), lost_ns, segments FROM ledger"))


def test_every_gap_holds_its_slices(both):
    trace, processor = both
    gaps = processor.rows(f"SELECT pid - {GPUS}, ts + {zero(trace)}, dur FROM drawn WHERE category = 'gap'")
    assert sorted(gaps) == sorted(rows(trace, "SELECT gpu, start_ns, length_ns FROM gaps"))
    within = processor.rows("SELECT sum(c.dur) FROM slice AS c JOIN slice AS g ON g.id = c.parent_id WHERE g.category = 'gap'")
    assert within == rows(trace, "SELECT CAST(sum(length_ns) AS BIGINT) FROM gaps")


def test_every_activity_is_on_its_stream(both):
    trace, processor = both
    found = processor.rows(f"""
        SELECT pid - {GPUS}, ts + {zero(trace)}, dur, name, category, CAST(substr(thread, 8) AS INT)
        FROM drawn WHERE category IN ('compute', 'communication', 'copy')
    """)
    assert sorted(found) == sorted(rows(trace, "SELECT gpu, start_ns, length_ns, name, kind, stream FROM activities"))


def test_arrows_lead_from_launches_to_activities(both):
    trace, processor = both
    found = processor.rows(f"""
        SELECT a.ts + {zero(trace)}, a.pid << 24 | a.tid, a.category, b.ts + {zero(trace)}, b.name
        FROM flow JOIN drawn AS a ON a.id = slice_out JOIN drawn AS b ON b.id = slice_in
    """)
    launched = "SELECT launch_start_ns, global_tid & 281474976710655, 'cuda', start_ns, name FROM activities"
    expected = rows(trace, f"{launched} WHERE launch_start_ns <= start_ns")
    assert len(expected) > 0.9 * len(rows(trace, launched))
    assert sorted(found) == sorted(expected)


def test_ranges_nest_as_they_did(both):
    trace, processor = both
    found = processor.rows(f"""
        SELECT s.ts + {zero(trace)}, s.dur, (
            SELECT coalesce(group_concat(name, ' > '), '')
            FROM (SELECT a.name FROM ancestor_slice(s.id) AS a WHERE a.category = 'nvtx' ORDER BY a.depth)
        ) || ' > ' || s.name
        FROM slice AS s WHERE s.category = 'nvtx'
    """)
    paths = Counter((start, length, path.removeprefix(" > ")) for start, length, path in found)
    expected = Counter(rows(trace, "SELECT start_ns, length_ns, nvtx FROM nvtx_ranges WHERE nvtx IS NOT NULL"))
    assert expected
    assert expected <= paths
    assert len(found) == len(rows(trace, "SELECT name FROM nvtx_ranges"))


@pytest.mark.parametrize(("category", "view"), [("cuda", "calls"), ("os", "os_calls"), ("profiler", "profiler_overheads")])
def test_every_call_is_on_its_thread(both, category, view):
    trace, processor = both
    found = processor.rows(f"SELECT ts + {zero(trace)}, dur, name, pid << 24 | tid FROM drawn WHERE category = '{category}'")
    query = f"SELECT start_ns, length_ns, name, global_tid & 281474976710655 FROM {view} WHERE tid_of(global_tid) > 0"
    assert sorted(found) == sorted(rows(trace, query))


def test_a_slice_says_why(both):
    trace, processor = both
    keys = ("cause", "state", "call", "nvtx", "thread", "step", "gap_ns", "before", "after")
    values = ", ".join(f"extract_arg(arg_set_id, 'args.{key}')" for key in keys)
    found = processor.rows(f"SELECT {values} FROM slice WHERE category = 'cause'")
    expected = rows(
        trace,
        """
        SELECT s.cause, s.state, s."call", s.nvtx, s.thread, s.step, g.length_ns, g.before, coalesce(g.after, s.activity)
        FROM segments AS s LEFT JOIN gaps AS g ON g.gap_id = s.gap_id
        """,
    )
    assert Counter(found) == Counter(expected)


def test_steps_are_drawn(both):
    trace, processor = both
    found = processor.rows(f"""
        SELECT name, ts + {zero(trace)}, dur, extract_arg(arg_set_id, 'args.in_window') FROM drawn WHERE thread = 'steps'
    """)
    inside = {row["step"] for row in trace.rows("SELECT step FROM window_steps")}
    steps = rows(trace, "SELECT step, start_ns, end_ns - start_ns FROM steps")
    assert sorted(found) == sorted((f"step {step}", start, length, step in inside) for step, start, length in steps)


def test_each_gpu_and_process_has_its_name(both):
    trace, processor = both
    names = dict(processor.rows("SELECT pid, name FROM process WHERE pid > 0"))
    gpus = {pid - GPUS: name for pid, name in names.items() if pid >= GPUS}
    assert gpus == {gpu: f"GPU {gpu} {name}" for gpu, name in rows(trace, "SELECT gpu, name FROM devices")}
    assert "NVIDIA H200" in gpus[0]
    processes = {(pid, name.removeprefix("./")) for pid, name in rows(trace, "SELECT pid, name FROM processes")}
    assert {(pid, name) for pid, name in names.items() if pid < GPUS - 1} <= processes


def unescaped(name):
    """Perfetto 52 leaves a string without quotes in it as JSON writes it."""
    try:
        return json.loads(f'"{name}"')
    except ValueError:
        return name


def test_hostile_names_survive(tmp_path):
    trace = Synthetic()
    names = [name for name in EVIL if name]  # one without a character is shown as ?
    for number, name in enumerate(names, 1):
        start, on = number * 10 * MS, thread(tid=number)
        trace.thread(tid=number, name=name)
        trace.nvtx(name, start, start + 9 * MS, thread=on)
        trace.os(name, start + US, start + 2 * US, thread=on)
        trace.kernel(start + MS, start + 2 * MS, (start + 3 * US, start + 5 * US), name=name, thread=on)
    with trace.analysed() as analysed, exported(analysed, tmp_path) as processor:
        for kind in ("compute", "nvtx", "os"):
            found = processor.rows(f"SELECT name, thread FROM drawn WHERE category = '{kind}' ORDER BY ts")
            assert [unescaped(name) for name, _ in found] == names
            assert kind == "compute" or [unescaped(on) for _, on in found] == names
    events = json.loads((tmp_path / "out.json").read_text())["traceEvents"]
    assert [event["name"] for event in events if event.get("cat") == "compute"] == names


def test_commands_and_folders_are_not_told(tmp_path):
    trace = Synthetic()
    trace.thread(tid=1, process="/home/alice/venv/bin/python3 train.py --token hf_secret")
    trace.sample(MS, ("/home/alice/train.py", "main", 3))
    trace.kernel(0, MS, (0, 5 * US))
    with trace.analysed() as analysed:
        exporter("perfetto").write(analysed, tmp_path / "out.json")
    text = (tmp_path / "out.json").read_text()
    assert '"python3"' in text
    assert "alice" not in text
    assert "secret" not in text


def test_what_crosses_is_kept(tmp_path):
    """Activities on one stream and ranges of one thread that overlap as they like; longer ones would be taken for damaged."""
    draw = random.Random(1)
    trace = Synthetic()
    for number in range(300):
        start = draw.randrange(1000) * US
        end = start + draw.randrange(40) * US
        trace.kernel(start, end, (start, start), name=f"activity {number}")
        trace.nvtx(f"range {number}", start - draw.randrange(20) * US, end, thread=MAIN)
    with trace.analysed(Options(window=Window(everything=True))) as analysed, exported(analysed, tmp_path) as processor:
        counts = dict(processor.rows("SELECT category, count(DISTINCT name) FROM slice GROUP BY 1"))
        assert (counts["compute"], counts["nvtx"]) == (300, 300)
        assert processor.rows("SELECT name FROM stats WHERE severity <> 'info' AND value > 0") == []
        lanes = {name for (name,) in processor.rows("SELECT thread FROM drawn WHERE category = 'compute'")}
        assert {"stream 7", "stream 7 (lane 2)"} <= lanes


@pytest.mark.thorough
def test_a_window_that_was_asked_for_is_all_that_is_drawn(tmp_path):
    options = Options(window=Window.parse("5..6"))
    with analysis(FIXTURES / "item_broken.sqlite", options) as trace, exported(trace, tmp_path) as processor:
        assert processor.rows("SELECT name FROM drawn WHERE thread = 'steps' ORDER BY ts") == [("step 5",), ("step 6",)]
        activities = rows(trace, "SELECT count(*) FROM window_activities")[0][0]
        ((drawn, earliest),) = processor.rows(
            "SELECT count(*) FILTER (WHERE category IN ('compute', 'copy')), min(ts) FROM drawn"
        )
        assert activities <= drawn <= activities + 2
        assert earliest == 0
        lost = processor.rows("SELECT sum(dur) FROM drawn WHERE category = 'cause'")
        assert lost == rows(trace, "SELECT CAST(sum(lost_ns) AS BIGINT) FROM ledger")


def test_one_gpu_can_be_chosen(tmp_path):
    with (
        analysis(FIXTURES / "ddp_straggler_broken.sqlite", Options(device=1)) as trace,
        exported(trace, tmp_path) as processor,
    ):
        gpus = processor.rows(f"SELECT DISTINCT pid - {GPUS} FROM process WHERE pid >= {GPUS}")
        assert gpus == [(1,)]


@pytest.mark.thorough
def test_it_is_compressed_where_the_name_says_so(tmp_path):
    path = tmp_path / "out.json.gz"
    arguments = ["export", str(FIXTURES / "tokenize_broken.sqlite"), "--perfetto", str(path)]
    assert CliRunner().invoke(gapfinder, arguments).exit_code == 0
    assert path.read_bytes().startswith(b"\x1f\x8b")
    with loaded(path) as processor:
        assert processor.rows("SELECT count(*) FROM slice WHERE category = 'step'") == [(20,)]
