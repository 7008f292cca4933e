"""The documentation of views as Markdown, as in `sql/README.md`."""

import re
from itertools import groupby

from gapfinder.pipeline import glossary
from gapfinder.pipeline.catalogue import FLEET, RelationDoc, meaning

INTRODUCTION = """\
# What there is to query

`gapfinder sql TRACE "SELECT …"`, and `sql()` in Python, can query every table and view on this page. Each is computed once, when
a query first needs it.

- Start at [70_names](#70_names). Its views have names where the other layers have ids. Most of them are in the schema `main`;
  all other relations are in the schema `trace`. If both schemas have a view of one name, such as `main.gaps` and `trace.gaps`,
  plain `gaps` is the one in `main`.
- Layers are numbered, and [trace/](trace/README.md) says what each is for. `page`, `perfetto` and `ranks` are what the page,
  `gapfinder export` and the diagnosis of a job read.
- Times are in ns since the session began, as in Nsight's timeline. Names of columns end in their unit: `_ns`, `_bytes`.
- `ledger`, `gaps`, `segments`, `stream_gaps`, `exposed_time`, `collectives` and what begins with `window_` cover the window.
  Other relations cover the whole trace, unless they say otherwise.
- NULL means that the trace does not tell.

`gapfinder views NAME` prints one of them. This page is written by `gapfinder views --format markdown -o sql/README.md`, from
[GLOSSARY.md](GLOSSARY.md), the README of each folder, the comments in the SQL, and [columns.toml](columns.toml), which says once
what a column of a name holds where its relation says nothing else.
"""

FLEET_INTRODUCTION = """\
# What there is to query in a fleet

`gapfinder sql FLEET "SELECT …"` can query every view below. `job`, `rank`, `trace` and `trace_id` say which trace a row is from.
A trace that cannot be used has a row only in `traces` and `bad_traces`. `gapfinder views glossary` prints what the words mean.

This page is written by `gapfinder views --fleet --format markdown -o sql/fleet/views.md`, from the comments in this folder and
[columns.toml](../columns.toml).
"""


def render(relations: list[RelationDoc], *, width: int, color: bool) -> str:  # noqa: ARG001  part of the protocol
    """All relations with an introduction, or one relation without it."""
    is_fleet = relations[0].layer == FLEET
    parts = ([FLEET_INTRODUCTION] if is_fleet else [INTRODUCTION, _glossary()]) if len(relations) > 1 else []
    for layer, group in groupby(relations, key=lambda relation: relation.layer):
        if len(relations) > 1 and not is_fleet:
            parts.append(f"## {layer}\n\n{meaning(layer)}\n")
        parts += map(_section, group)
    return "\n".join(parts)


def _glossary() -> str:
    """The glossary as a section of the page, with its headings one level lower."""
    return re.sub(r"^#", "##", glossary.text(), flags=re.MULTILINE)


def _section(relation: RelationDoc) -> str:
    rows = (f"| `{column.name}` | `{column.type}` | {_cell(column.meaning)} |\n" for column in relation.columns)
    hidden = f" `trace.{relation.name}` has the ids." if relation.hides else ""
    head = f"### {relation.name}\n\n{_cell(relation.meaning[:1].upper() + relation.meaning[1:])}.{hidden}\n"
    return f"{head}\n| column | type | meaning |\n| --- | --- | --- |\n{''.join(rows)}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<").replace(">", "\\>")
