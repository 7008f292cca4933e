"""A second kind of source is a folder beside the first, and nothing else: a made-up one, whose traces are lines of text."""

import sys
from textwrap import dedent

import pytest
from traces import analysis

from gapfinder import ingest

# What the folder holds: a reader, and the SQL that makes relations of what it reads. All other relations are empty.
FILES = {
    "__init__.py": "",
    "trace.py": '''
        """Traces of a made-up profiler: a line for each kernel, with when it was launched and when it ran, in microseconds."""

        from contextlib import contextmanager
        from pathlib import Path

        MAGIC = b"tiny trace"


        class TinyTrace:
            sql = Path(__file__).parent

            def __init__(self, path):
                self.path = path

            def load(self, connection, *, read_range, for_conversion):
                connection.execute("CREATE SCHEMA tiny")
                columns = "id INTEGER, name VARCHAR, launched BIGINT, started BIGINT, ended BIGINT"
                connection.execute(f"CREATE TABLE tiny.kernels ({columns})")
                rows = [line.split() for line in self.path.read_text().splitlines()[1:]]
                for place, (name, *times) in enumerate(rows):
                    connection.execute("INSERT INTO tiny.kernels VALUES (?, ?, ?, ?, ?)", [place, name, *times])
                return {"kernels": len(rows)}


        def recognises(path, header):
            return header.startswith(MAGIC)


        @contextmanager
        def opened(path, header, progress):
            yield TinyTrace(path)
    ''',
    "strings.sql": """
        -- Names, by id.
        -- reads: tiny.kernels
        CREATE TABLE strings AS
        SELECT min(id) AS string_id, name AS text FROM tiny.kernels GROUP BY name;
    """,
    "kernels.sql": """
        -- Kernels.
        -- reads: strings, tiny.kernels
        CREATE VIEW kernels AS
        SELECT
            k.id AS activity_id, 1000 * k.started AS start_ns, 1000 * k.ended AS end_ns, 0 AS gpu, 1 AS pid, 7 AS stream,
            CAST(k.id AS UINTEGER) AS correlation_id, s.string_id AS name_id,
            CAST(NULL AS INTEGER) AS function_id
        FROM tiny.kernels AS k
        INNER JOIN strings AS s ON s.text = k.name;
    """,
    "calls.sql": """
        -- Each kernel is launched by a call that takes a microsecond.
        -- reads: strings, tiny.kernels
        CREATE VIEW calls AS
        SELECT
            1000 * launched AS start_ns, 1000 * (launched + 1) AS end_ns, 1 AS pid, CAST(1 << 24 AS BIGINT) AS global_tid,
            CAST(id AS UINTEGER) AS correlation_id, NULL AS name_id, 'launch' AS family, false AS in_vain
        FROM tiny.kernels;
    """,
}  # fmt: skip


@pytest.fixture
def tiny_source(tmp_path, monkeypatch):
    """The folder, where gapfinder looks for its sources."""
    folder = tmp_path / "sources" / "tiny"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(dedent(text).lstrip())
    monkeypatch.setattr(ingest, "__path__", [*ingest.__path__, str(folder.parent)])
    yield
    for module in [name for name in sys.modules if name.startswith(f"{ingest.__name__}.tiny")]:
        del sys.modules[module]


@pytest.mark.usefixtures("tiny_source")
def test_a_trace_of_another_source_is_diagnosed(tmp_path, command_line):
    lines = ["tiny trace 1"]
    for step in range(5):
        begin = 10_000 * step
        # the second kernel is launched 5 ms after the first has ended
        lines += [f"first {begin} {begin + 10} {begin + 1000}", f"second {begin + 6000} {begin + 6010} {begin + 7000}"]
    trace = tmp_path / "program.tiny"
    trace.write_text("\n".join(lines) + "\n")
    with analysis(trace) as opened:
        found = opened.diagnose()
        (device,) = found.devices
        assert device.compute_ns + sum(device.causes.values()) == device.window_ns
        assert found.verdict == "host_compute"
        assert opened.gaps().height == 8  # two in each of the four whole steps
    assert command_line("diagnose", trace).status == 0
    assert command_line("report", trace, "-o", tmp_path / "page.html").status == 0
