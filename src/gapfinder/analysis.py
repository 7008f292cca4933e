"""One trace with all its layers computed: what every command and renderer starts from."""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from gapfinder import layers
from gapfinder.errors import TraceError, UsageError
from gapfinder.options import Options
from gapfinder.trace.load import load
from gapfinder.trace.source import opened

if TYPE_CHECKING:
    import polars as pl

# Row estimates of these views are far off: a nested loop where 64 rows are expected and a million come takes a minute.
# Giving memory back in the background saves 5 % of the time on a trace of a million kernels.
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "preserve_insertion_order": False,
    "asof_loop_join_threshold": 0,
    "allocator_background_threads": True,
}
CLAIMS = "claims_"
EXPLAINED_BY_CPU = "CUPTI_ACTIVITY_KIND_RUNTIME"
WORK = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE")


class Analysis:
    """The layers of one trace.

    `connection` answers SELECTs on every view of `sql/`; `tables` names the tables that the trace has.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path, options: Options, tables: set[str]) -> None:
        self.connection = connection
        self.path = path
        self.options = options
        self.tables = tables

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Rows of a `SELECT … FROM view`, by column name. Several threads may ask at once."""
        cursor = self.connection.cursor().execute(query)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def frame(self, query: str) -> "pl.DataFrame":
        """The result of a `SELECT … FROM view` as a polars frame, with the view's columns."""
        import polars as pl

        return pl.DataFrame(self.connection.cursor().sql(query))


@contextmanager
def analyse(path: Path, options: Options, patterns: dict[str, list[str]], progress: Callable[[str], None]) -> Iterator[Analysis]:
    """Read a trace and compute its layers.

    `patterns` are names of NVTX ranges that speak for a cause (regular expressions by cause), as from
    `read_patterns`; `progress` is told what goes on. Raises TraceError where the trace is unusable, UsageError
    where the options do not fit it.
    """
    connection = duckdb.connect(config=SETTINGS)
    try:
        with opened(path, progress) as source:
            progress("reading the trace")
            tables = load(connection, source, path)
        layers.run(connection, "1_source")
        _check_work(connection, path, tables)
        connection.execute(
            f"INSERT INTO choices VALUES ({', '.join('?' * len(options.choices()))})", list(options.choices().values())
        )
        connection.executemany("INSERT INTO name_patterns VALUES ($1, $2)", [(c, p) for c, ps in patterns.items() for p in ps])
        for layer, doing in (
            ("2_timeline", "laying out the timeline"),
            ("3_gaps", "finding gaps"),
            ("4_causes", "finding causes"),
        ):
            progress(doing)
            layers.run(connection, layer)
            if layer == "2_timeline":
                _check_window(connection, options)
        _gather_claims(connection)
        layers.run(connection, "5_ledger")
        yield Analysis(connection, path, options, tables)
    finally:
        connection.close()


def read_patterns(extra: Path | None) -> dict[str, list[str]]:
    """Patterns for names of NVTX ranges: gapfinder's own and those of the user's config. Raises UsageError."""
    patterns: dict[str, list[str]] = {}
    for file in filter(None, (Path(__file__).parent / "names.toml", extra)):
        try:
            names = tomllib.loads(file.read_text()).get("names", {})
            for cause, found in names.items():
                patterns.setdefault(cause, []).extend(map(str, found))
        except (OSError, tomllib.TOMLDecodeError, AttributeError, TypeError) as error:
            raise UsageError(f"{file} is no config file: {error}; expected lists of patterns by cause under [names]") from error
    return patterns


def causes(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Ids of the causes: each has a view `claims_<id>`."""
    views = connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    return sorted(name.removeprefix(CLAIMS) for (name,) in views if name.startswith(CLAIMS))


def _gather_claims(connection: duckdb.DuckDBPyConnection) -> None:
    """The claims of all causes as one view (slice_id, rule). A rule is precedence, cause and basis in one number."""
    found = causes(connection)
    ids = ", ".join(f"'{cause}'" for cause in [*found, "unexplained"])
    connection.execute(f"CREATE TYPE cause_id AS ENUM ({ids}); CREATE TYPE claim_basis AS ENUM ('seen', 'named', 'inferred')")
    each = (
        f"SELECT slice_id, precedence * 10000 + {code * 10} + enum_code(CAST(basis AS claim_basis)) AS rule FROM {CLAIMS}{cause}"
        for code, cause in enumerate(found)
    )
    connection.execute(f"CREATE VIEW claims AS {' UNION ALL '.join(each)}")


def _check_work(connection: duckdb.DuckDBPyConnection, path: Path, tables: set[str]) -> None:
    if not connection.execute("SELECT 1 FROM kernels UNION ALL SELECT 1 FROM graph_launches LIMIT 1").fetchall():
        if EXPLAINED_BY_CPU in tables:
            raise TraceError(f"{path} holds CUDA calls but no kernels: capture while the GPU works, and let nsys end by itself")
        raise TraceError(
            f"{path} holds no GPU work: the capture ended before it began, or CUDA was not traced; "
            "capture again with --trace=cuda,nvtx,osrt"
        )


def _check_window(connection: duckdb.DuckDBPyConnection, options: Options) -> None:
    if options.step and not connection.execute("SELECT 1 FROM step_ranges LIMIT 1").fetchall():
        raise UsageError(f"no NVTX range of the main thread is named {options.step!r}")
    steps = len(connection.execute("SELECT step FROM steps").fetchall())
    if options.window.from_step is not None and options.window.from_step >= steps:
        raise UsageError(f"the trace has {steps} steps, counted from 0: there is no step {options.window.from_step}")
    window = connection.execute('SELECT start_ns, end_ns FROM "window"').fetchall()[0]
    if not connection.execute("SELECT 1 FROM ops WHERE end_ns > $1 AND start_ns < $2 LIMIT 1", list(window)).fetchall():
        raise UsageError("no GPU work runs in that window")
    if (
        options.device is not None
        and not connection.execute("SELECT 1 FROM ops WHERE gpu = $1 LIMIT 1", [options.device]).fetchall()
    ):
        raise UsageError(f"no GPU {options.device} works in this trace")
