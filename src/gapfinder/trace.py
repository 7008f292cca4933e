"""One trace with all its layers computed: what every command, renderer and notebook starts from."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from html import escape
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb

from gapfinder.conversion.database import reopened
from gapfinder.options import Options
from gapfinder.pipeline.config import Config
from gapfinder.pipeline.database import read
from gapfinder.pipeline.relations import SCHEMA
from gapfinder.pipeline.runner import Runner
from gapfinder.query.rows import rows_of
from gapfinder.system.arrow import Stream
from gapfinder.system.memory import Room

if TYPE_CHECKING:
    import polars as pl

    from gapfinder.diagnosis.diagnosis import Diagnosis
    from gapfinder.diagnosis.job import Job
    from gapfinder.whatif.whatif import WhatIf

IDS = f"SET search_path = '{SCHEMA}'"
NAMES = f"SET search_path = 'main,{SCHEMA}'"  # a view with names comes before the one with ids


class Trace:
    """The layers of one trace. Use it in a `with` statement, or close it: it holds the trace in memory.

    `path` is where it was read from, `options` what was chosen, `tables` names the tables that the export has, and
    `config` holds the causes. Several threads may ask at once.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        path: Path,
        options: Options,
        config: Config,
        tables: set[str],
        room: Room,
        runner: Runner | None,
        *,
        unsafe: bool = False,
    ) -> None:
        self._connection = connection
        self._room = room
        self._runner = runner
        self._unsafe = unsafe
        self.path = path
        self.options = options
        self.config = config
        self.tables = tables

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Rows of a `SELECT … FROM view`, by column name; of a view with names where there is one."""
        return rows_of(self.cursor(query), query)

    def facts(self, query: str) -> list[dict[str, Any]]:
        """As `rows`, of the relations with ids alone."""
        return rows_of(self.cursor(query, named=False), query)

    def tuples(self, query: str) -> list[tuple[Any, ...]]:
        """As `facts`, each row a tuple: a quarter of the time where there are many."""
        return self.cursor(query, named=False).execute(query).fetchall()

    def frame(self, query: str) -> "pl.DataFrame":
        """The result of a `SELECT … FROM view` as a polars frame, with the view's columns."""
        import polars as pl

        return pl.DataFrame(Stream(self.cursor(query).sql(query)))

    def sql(self, query: str) -> "pl.DataFrame":
        """The result of one statement, as a polars frame; views and columns are those that `gapfinder views` prints.

        Read-only: SELECT, FROM, VALUES, PIVOT, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN run, and nothing that writes, sets, or
        reads a file, the network or a variable of the program. Sums come as 64-bit integers where they fit, decimals as
        floats, and of two columns called x the second as x_1. Raises UsageError, in one line, where the SQL is wrong or not
        allowed.
        """
        from gapfinder.query.run import run

        return run(self.cursor(query), query, unsafe=self._unsafe)

    def cursor(self, query: str, *, named: bool = True) -> duckdb.DuckDBPyConnection:
        """A connection of its own to the trace, on which everything is made that the query mentions.

        A name means the relation with names where there is one, unless they need not be `named`.
        """
        if self._runner:
            self._runner.make_for(query, with_names=named)
        return self._connection.cursor().execute(NAMES if named else IDS)

    def gaps(self, *, by: str = "device", cause: str | None = None) -> "pl.DataFrame":
        """The gaps of each GPU (`by="device"`) or of each stream (`by="stream"`), longest first.

        Columns as in the views `gaps` and `stream_gaps`; times in ns. With `cause`, only gaps whose longest segment has it.
        """
        from gapfinder.diagnosis.gaps import listed

        return listed(self, by=by, cause=cause)

    def ledger(self) -> "pl.DataFrame":
        """The ledger of each GPU, most lost first: gpu, cause (`compute` for the time that is not lost), ns, share (0 to 1).

        The ns of a GPU add up to the window.
        """
        return self.frame("SELECT * FROM ledger_lines")

    def steps(self) -> "pl.DataFrame":
        """The steps of the window on each GPU; columns as in the view `step_totals`, times in ns."""
        return self.frame("SELECT * FROM step_totals")

    def kernels(self) -> "pl.DataFrame":
        """Every kernel that ran, in order of its start; columns as in the view `kernels`, times in ns."""
        return self.frame("SELECT * FROM kernels ORDER BY start_ns, activity_id")

    def diagnose(self, *, gates: Iterable[str] = ()) -> "Diagnosis":
        """The verdict, the ledger, every cause with its evidence and its fix, and what the trace cannot tell.

        Of a trace with several ranks, also who of them was late, and why. `gates` are written as after `--fail-on`, as
        `lost>20%`; what came of each is in `gates` of the diagnosis. Raises UsageError where one is wrong.
        """
        from gapfinder.diagnosis.diagnose import diagnose
        from gapfinder.gates.checked import checked
        from gapfinder.gates.facts import facts

        diagnosis = diagnose(self)
        found = checked(gates, self.config.causes, lambda: facts(self, diagnosis))
        return replace(diagnosis, job=self._job(diagnosis) if len(diagnosis.devices) > 1 else None, gates=found)

    def _job(self, diagnosis: "Diagnosis") -> "Job | None":
        from gapfinder.job.traces import job_of

        return job_of(self, diagnosis)

    def whatif(self, *, without: Iterable[str] = (), speed_up: Iterable[str] = ()) -> "WhatIf":
        """The step with something left out or faster, by a replay; what to write is as in `gapfinder whatif`.

        For example `without=["host_sync", "nvtx:checkpoint"], speed_up=["kernel:*gemm*=2"]`. Raises UsageError.
        """
        from gapfinder.whatif.answer import answer
        from gapfinder.whatif.grammar import asked

        return answer(self, asked(without, speed_up, self.config.causes))

    def __repr__(self) -> str:
        try:
            return f"<Trace {self._subject()}>"
        except duckdb.ConnectionException:  # it was closed
            return f"<Trace {self.path.name!r}, closed>"

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"

    def _subject(self) -> str:
        from gapfinder.diagnosis.subject import subject
        from gapfinder.diagnosis.window import window_of

        return subject(str(self.path), (device["name"] for device in self.facts("SELECT * FROM devices")), window_of(self))

    def close(self) -> None:
        """Give the memory back."""
        self._connection.close()
        self._room.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trail: TracebackType | None) -> None:
        self.close()


def open_trace(
    path: Path, options: Options, config: Config, progress: Callable[[str], None], *, unsafe: bool = False, fresh: bool = False
) -> Trace:
    """Read a trace and compute its layers, unless it is a conversion that has them; `progress` is told what goes on.

    With `unsafe`, SQL of the user's may do all that DuckDB can. With `fresh`, a conversion's layers are computed again: as they
    are, they cannot be written to. Errors as of `gapfinder.open`.
    """
    room = Room(options.memory_bytes)
    try:
        if not (unsafe or fresh) and (kept := reopened(path, options, config, room)):
            connection, tables = kept
            return Trace(connection, path, options, config, tables, room, None)
        connection = duckdb.connect(config=room.settings)
        try:
            runner, tables = read(connection, path, options, config, progress, unsafe=unsafe)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        room.close()
        raise
    return Trace(connection, path, options, config, tables, room, runner, unsafe=unsafe)
