"""What there is to query, as Markdown: `sql/README.md` is all of it."""

from itertools import groupby

from gapfinder.pipeline.catalogue import FLEET, RelationDoc, meaning

INTRODUCTION = """\
# What there is to query

`gapfinder sql TRACE "SELECT …"`, and `sql()` in Python, see every view below. The layers are computed one from the other, in
the order of their numbers: a layer reads only itself and the ones before it, and in the last one every id has become a name.

- Start at [70_names](#70_names): its views lie in the schema `main`, which comes first. All others lie in the schema `trace`.
  Where a view is in both, as `gaps` and `trace.gaps`, the plain name means the one with names, and the other has the ids.
- Times are in ns since the session began, as in Nsight's timeline. A name ends in its unit: `_ns`, `_bytes`.
- Of what no step and no window is said, it is the whole trace; `segments`, `gaps` and the ledger speak of the window.
- NULL means that the trace does not say.

`gapfinder views NAME` prints one of them. This page is written by `gapfinder views --format markdown -o sql/README.md`, from
the comments in these folders.
"""

OF_FLEET = """\
# What there is to query in the ledger of a fleet

`gapfinder sql LEDGER "SELECT …"` sees every view below. `job`, `rank`, `trace` and `trace_id` say of which trace a row is; of a
trace that could not be read there is a row in `traces` and `bad_traces` alone.

This page is written by `gapfinder views --fleet --format markdown -o sql/fleet/views.md`, from the comments in this folder.
"""


def render(relations: list[RelationDoc], *, width: int, color: bool) -> str:  # noqa: ARG001  the renderers' signature
    """All relations with an introduction; or one by itself."""
    of_fleet = relations[0].layer == FLEET
    parts = [OF_FLEET if of_fleet else INTRODUCTION] if len(relations) > 1 else []
    for layer, group in groupby(relations, key=lambda found: found.layer):
        if len(relations) > 1 and not of_fleet:
            parts.append(f"## {layer}\n\n{meaning(layer)}\n")
        parts += map(_section, group)
    return "\n".join(parts)


def _section(relation: RelationDoc) -> str:
    rows = (f"| `{column.name}` | `{column.type}` | {_cell(column.meaning)} |\n" for column in relation.columns)
    hidden = f" `trace.{relation.name}` has the ids." if relation.hides else ""
    head = f"### {relation.name}\n\n{_cell(relation.meaning[:1].upper() + relation.meaning[1:])}.{hidden}\n"
    return f"{head}\n| column | type | meaning |\n| --- | --- | --- |\n{''.join(rows)}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<").replace(">", "\\>")
