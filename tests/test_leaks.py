"""Nothing that gapfinder writes holds what a report says of its machine and its user: each command, format and file.

Commands, their formats and their files are found in the commands themselves; a new one is held to this without an entry here,
but for what it needs beside a trace.
"""

import base64
import gzip
import re
import shutil
import sqlite3
import zlib
from contextlib import closing, suppress
from importlib import import_module
from pkgutil import walk_packages

import click
import duckdb
import pytest
from click.testing import CliRunner
from synthetic import MS, US, Synthetic
from variations import some

import gapfinder as package
from gapfinder.agents.folder import Folder
from gapfinder.agents.tools import Tools
from gapfinder.api import Trace
from gapfinder.cli.main import gapfinder
from gapfinder.errors import GateError
from gapfinder.opening import open_as
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config

SECRET = "hf_tokenOfNobody"  # noqa: S105  so it should look
KERNEL = "kernel_of_nobody"  # may be shown, and so tells whether the search sees what is in a file
NO_TRACE = {"capture", "guide", "mcp", "views", "workload"}  # what these write is not of a trace; agents are asked below
ARGUMENTS = {"query": "FROM kernels"}  # any other is a trace
ENDINGS = {"target": (".duckdb", ""), "perfetto": (".json", ".json.gz")}  # of names, where they decide on what is written
FILES_READ = {"config", "key", "file"}
OPTIONS = {"whatif": (["--without", "host_sync"],), "redact": ([], ["--names", "--key", "{key}"])}
SHOW_NO_KERNEL = re.compile("^(doctor|whatif|compare|fleet|redact --names)|junit|^diagnose .*markdown")


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A trace with the secret wherever a report may hold one, and in strings that nothing refers to."""
    trace = Synthetic()
    trace.thread(1)
    for step in range(6):
        start = step * 4 * MS
        trace.nvtx("step", start, start + 4 * MS - 1)
        trace.kernel(start + 20 * US, start + 2 * MS, launched=(start + 5 * US, start + 10 * US), name=KERNEL)
        trace.call("cudaDeviceSynchronize_v3020", start + 15 * US, start + 2 * MS + 5 * US)
    variables = [
        {"name": f"PROCESS_0:ENV_{n}", "value": f"{name}={SECRET}"} for n, name in enumerate(("TOKEN", "USER", "HOSTNAME"))
    ]
    trace.tables["META_DATA_CAPTURE"] = [*variables, {"name": "DEVICE_DISPLAY_NAME", "value": SECRET}]
    trace.tables["META_DATA_EXPORT"] += [
        {"name": f"EXPORT_{name}", "value": SECRET} for name in ("HOST", "USER", "PARAM_INPUT_PATH")
    ]
    trace.tables["TARGET_INFO_SYSTEM_ENV"] = [{"devStateName": SECRET, "name": "Hostname", "nameEnum": 1, "value": SECRET}]
    trace.tables["TARGET_INFO_GPU"] = [{"id": 0, "name": "NVIDIA H200", "uuid": SECRET, "cuDevice": 0}]
    trace.tables["PROCESSES"][0] |= {"commandLine": f"python3 --token {SECRET}", "environment": SECRET}
    trace.tables["ANALYSIS_FILE"] = [{"id": 1, "filename": f"/home/{SECRET}", "contentId": trace.string(f"{SECRET} in a file")}]
    trace.tables["ProcessStreams"] = [{"globalPid": 1 << 24, "contentId": trace.string(f"TOKEN={SECRET}")}]
    trace.tables["DIAGNOSTIC_EVENT"] = [{"timestamp": 0, "text": f"launched on {SECRET}"}]
    trace.string(SECRET)
    trace.tables["NVTX_EVENTS"][0]["binaryData"] = SECRET.encode()
    return trace.write(tmp_path_factory.mktemp("planted") / "t.sqlite")


def runs():
    """Arguments of every command in each of its formats, and to each of its files."""
    for name in gapfinder.list_commands(None):
        if name in NO_TRACE:
            continue
        command = gapfinder.get_command(None, name)
        named = {option.name: option for option in command.params if isinstance(option, click.Option)}
        given = [argument.name for argument in command.params if isinstance(argument, click.Argument)]
        fixed = [name, *(ARGUMENTS.get(argument, "{trace}") for argument in given if argument not in ENDINGS)]
        fixed += ["--fail-on", "lost>0%"] if "fail_on" in named else []
        formats = [["--format", each] for each in named["format_"].type.choices] if "format_" in named else [[]]
        files = [[f"{{folder}}/{place}{ending}"] for place in given for ending in ENDINGS.get(place, ())]
        for place, option in named.items():
            if isinstance(option.type, click.Path) and place not in FILES_READ:
                files += [[option.opts[-1], f"{{folder}}/{place}{ending}"] for ending in ENDINGS.get(place, ("",))]
        for options in OPTIONS.get(name, ([],)):
            for format_ in formats:
                for file in files or [[]]:
                    yield [*fixed, *options, *format_, *file]


def called(arguments):
    return " ".join(word for word in arguments if word != "{trace}" and "lost>" not in word)


@pytest.fixture(scope="module")
def opened(planted):
    """Commands that open the trace get the same one: what takes most of their time is done once.

    All modules are loaded before: one that is loaded in between would keep what stands in.
    """
    for module in walk_packages(package.__path__, "gapfinder."):
        import_module(module.name)
    with pytest.MonkeyPatch.context() as patch, open_as(Trace, planted, Options(), read_config(), lambda _: None) as trace:
        patch.setattr(trace, "close", lambda: None)
        for place in ("gapfinder.api.open_as", "gapfinder.comparison.traces.open_trace"):
            patch.setattr(place, lambda *_, **__: trace)
        yield
        patch.undo()


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("arguments", some(12, list(runs())), ids=called)
def test_no_secret(planted, tmp_path, arguments):
    places = {"trace": planted, "folder": tmp_path / "written", "key": tmp_path / "key"}
    places["folder"].mkdir()
    done = CliRunner().invoke(gapfinder, [each.format(**places) for each in arguments])
    assert done.exception is None or isinstance(done.exception, GateError)
    written = [path for path in places["folder"].rglob("*") if path.is_file()]
    assert bool(written) == any("{folder}" in each for each in arguments)
    texts = [done.output.encode(), *(text for path in written for text in contents(path))]
    assert not any(shown(SECRET, text) for text in texts)
    assert any(shown(KERNEL, text) for text in texts) or SHOW_NO_KERNEL.search(called(arguments))


def test_no_secret_for_agents(planted):
    tools, name = Tools(Folder(planted.parent, None, read_config(users=False))), planted.name
    answers = [
        tools.diagnose(name),
        tools.list_gaps(name),
        tools.what_if(name, without=["host_sync"]),
        tools.compare(name, name),
        tools.query(name, "FROM kernels"),
    ]
    assert KERNEL in str(answers)
    assert SECRET not in str(answers)


def test_a_file_keeps_nothing_of_what_was_taken_out(planted, tmp_path):
    """DuckDB writes a table of more than 122,880 rows to its file before it is committed, and leaves there what is deleted."""
    trace, target = tmp_path / "many.sqlite", tmp_path / "many.duckdb"
    shutil.copy(planted, trace)
    with closing(sqlite3.connect(trace)) as connection, connection:
        first = connection.execute("SELECT max(id) + 1 FROM StringIds").fetchone()[0]
        strings = ((first + n, f"{n * 7919 % 1_000_003}{SECRET}{n}") for n in range(300_000))
        connection.executemany("INSERT INTO StringIds VALUES (?, ?)", strings)
    done = CliRunner().invoke(gapfinder, ["convert", str(trace), str(target)])
    assert done.exception is None
    texts = list(contents(target))
    assert not any(part.encode() in text for text in texts for part in (SECRET, SECRET[:8], SECRET[-8:]))
    assert any(shown(KERNEL, text) for text in texts)


@pytest.mark.parametrize("ending", ["", ".gz", ".html", ".parquet", ".duckdb", ".sqlite"])
def test_the_search_finds_it(tmp_path, ending):
    file = tmp_path / f"x{ending}"
    if ending == ".gz":
        file.write_bytes(gzip.compress(SECRET.encode()))
    elif ending == ".html":
        file.write_bytes(b"<script>'" + base64.b64encode(zlib.compress(SECRET.encode() + bytes(range(256)))) + b"'</script>")
    elif ending == ".parquet":
        duckdb.sql(f"SELECT '{SECRET}' AS a FROM range(1000)").write_parquet(str(file), compression="zstd")
    elif ending == ".duckdb":
        with closing(duckdb.connect(file)) as connection:
            connection.execute(f"CREATE SCHEMA s; CREATE TABLE s.t AS SELECT '{SECRET}' AS a FROM range(1000)")
    elif ending == ".sqlite":
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(f"PRAGMA encoding = 'UTF-16le'; CREATE TABLE t AS SELECT '{SECRET}' AS a")
    else:
        file.write_text(f"a{SECRET}b")
    assert any(shown(SECRET, text) for text in contents(file))


def shown(word, text):
    return any(word.encode(encoding) in text for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def contents(file):
    """The bytes of a file, and what is compressed in it: by gzip, as base64, in the tables of a database."""
    raw = file.read_bytes()
    yield raw
    if raw.startswith(b"\x1f\x8b"):
        yield gzip.decompress(raw)
    for found in re.findall(rb"[A-Za-z0-9+/]{100,}={0,2}", raw):
        with suppress(ValueError, zlib.error):
            yield from unpacked(base64.b64decode(found))
    if raw.startswith(b"PAR1"):
        yield str(duckdb.read_parquet(str(file)).fetchall()).encode()
    if raw[8:12] == b"DUCK":
        with closing(duckdb.connect(file, read_only=True)) as connection:
            tables = connection.execute("SELECT schema_name, table_name FROM duckdb_tables()").fetchall()
            yield from (str(connection.execute(f'FROM {schema}."{table}"').fetchall()).encode() for schema, table in tables)


def unpacked(raw):
    yield raw
    yield zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(raw)
