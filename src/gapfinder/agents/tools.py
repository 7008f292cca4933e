"""The tools that an agent has. Each answer is one JSON object. Its traces, gaps and rows are limited, and it says so."""

import json
from dataclasses import asdict
from typing import Annotated, Any

from polars.selectors import list as list_columns
from pydantic import Field

from gapfinder.agents.folder import Folder
from gapfinder.comparison.traces import compare_traces
from gapfinder.diagnosis.damage import Damage
from gapfinder.diagnosis.document import document
from gapfinder.diagnosis.gaps import count_gaps, list_gaps
from gapfinder.errors import UsageError
from gapfinder.pipeline import catalogue
from gapfinder.pipeline.glossary import glossary
from gapfinder.pipeline.stages import silent
from gapfinder.query.statements import split
from gapfinder.render.rows.json import as_array
from gapfinder.system.texts import is_utf8

MAX_ROWS = 200  # of a list in an answer: some 20,000 tokens
MAX_CHARS = 80_000  # of gaps, or the rows of a query, as JSON: as many tokens
MAX_CELL_CHARS = 2_000  # of one value of them

Answer = dict[str, Any]
Name = Annotated[str, Field(description="A trace, as list_traces names it.")]
Step = Annotated[str | None, Field(description="The NVTX range that is one step; by default it is found.")]
Window = Annotated[
    str | None,
    Field(description="all, a kind of regime as steps, steps as in 5..20, or times as in 1.5s..2s; by default what costs most."),
]
Removed = Annotated[list[str] | None, Field(description="Causes, nvtx:NAME, line:FILE:NUMBER or stream:NUMBER to leave out.")]
Faster = Annotated[list[str] | None, Field(description="kernel:PATTERN=2, copy=1.5 or cpu=1.2.")]
Limit = Annotated[int, Field(ge=1, le=MAX_ROWS, description="The most rows to return.")]


class Tools:
    """The tools for the traces in a folder: each public method is one. None writes, or reads anything else."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def list_traces(self) -> Answer:
        """The traces that there are."""
        names = self._folder.names()
        shown = [name for name in names if is_utf8(name)][:MAX_ROWS]
        return {"traces": shown, "left_out": len(names) - len(shown)}

    def diagnose(self, trace: Name, step: Step = None, window: Window = None) -> Answer:
        """Why the GPU did not compute: the verdict, the exact ledger, each cause with evidence, fix and predicted step."""
        return _with_ids(document(self._folder.trace(trace, step, window).diagnose()))

    def list_gaps(
        self, trace: Name, cause: str | None = None, limit: Limit = 20, step: Step = None, window: Window = None
    ) -> Answer:
        """The longest times in which a GPU ran nothing: between which activities, which thread was late, and why.

        `damage` are sentences on rows that are lost or wrong.
        """
        opened = self._folder.trace(trace, step, window)
        shown, cut = _bounded(list_gaps(opened, by="device", cause=cause, limit=limit).to_dicts())
        left_out = count_gaps(opened, by="device", cause=cause) - len(shown)
        return {"gaps": shown, "left_out": left_out, "cut": cut, "damage": Damage.of(opened).sentences}

    def what_if(
        self, trace: Name, without: Removed = None, speed_up: Faster = None, step: Step = None, window: Window = None
    ) -> Answer:
        """What a step would take, by a replay of the trace, with something left out or made faster."""
        opened = self._folder.trace(trace, step, window)
        return asdict(opened.whatif(without=dict.fromkeys(without or ()), speed_up=dict.fromkeys(speed_up or ())))

    def compare(self, before: Name, after: Name, step: Step = None) -> Answer:
        """Whether a change helped: the speedup with its interval, the ledgers side by side, where the bottleneck is now."""
        files = self._folder.file(before), self._folder.file(after)
        return asdict(compare_traces(files, self._folder.options(step), self._folder.config, (), silent).last)

    def describe_views(self, name: str | None = None) -> Answer:
        """What a query can read: all views, those to begin with first, or one of them with its columns and their units."""
        every = catalogue.catalogue()
        if name is not None:
            return asdict(catalogue.documentation_of(name, every))
        return {"views": [{"name": view.name, "schema": view.schema, "meaning": view.meaning} for view in every.values()]}

    def explain_words(self) -> Answer:
        """What the words in the answers mean."""
        return {"words": glossary()}

    def query(self, trace: Name, sql: str, limit: Limit = 50, step: Step = None, window: Window = None) -> Answer:
        """The rows of one query in DuckDB's SQL, which can only read the trace. Bytes are hexadecimal.

        A long value is cut: its beginning is a text that ends with an ellipsis, and `cut` names its column.
        """
        statements = split(sql)
        one_more = f"FROM ({statements[0]}\n) LIMIT {limit + 1}" if len(statements) == 1 else sql  # which says so
        frame = self._folder.trace(trace, step, window).sql(one_more)
        rows = json.loads(as_array(frame.with_columns(list_columns().list.head(MAX_CELL_CHARS))))  # the rest would be cut as text
        shown, cut = _bounded(rows[:limit])
        return {"rows": shown, "more": len(rows) > len(shown), "cut": cut}


def _with_ids(diagnosis: Answer) -> Answer:
    """A diagnosis whose evidence has ids, such as `host_sync.1`."""
    for cause in diagnosis["causes"]:
        cause["evidence"] = [{"id": f"{cause['cause']}.{number}", **fact} for number, fact in enumerate(cause["evidence"], 1)]
    return diagnosis


def _bounded(rows: list[Answer]) -> tuple[list[Answer], list[str]]:
    """As many of the rows as an answer may hold, and the columns of which a value was cut."""
    shown: list[Answer] = []
    cut: dict[str, None] = {}
    chars = 0
    for row in rows:
        most = min(MAX_CELL_CHARS, MAX_CHARS // len(row))
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in row.items()}
        chars += sum(len(name) + min(len(text), most) for name, text in texts.items())
        if chars > MAX_CHARS:
            if not shown:
                raise UsageError(
                    f"one row takes more than {MAX_CHARS:,} characters: select fewer columns, or give them shorter names"
                )
            break
        long = [name for name, text in texts.items() if len(text) > most]
        cut |= dict.fromkeys(long)
        shown.append(row | {name: f"{texts[name][:most]}…" for name in long})
    return shown, list(cut)
