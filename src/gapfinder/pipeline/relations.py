"""The relations of `sql/`: one file each, with a line `-- reads:` that names what the relation is made from."""

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gapfinder import resources

SCHEMA = "trace"  # of all relations but those with names, which are in `main`
EVERYTHING = "everything"  # in the line `-- reads:` of a relation that lists all others

_CREATED = re.compile(r'^CREATE (?:TABLE|VIEW|MACRO) (?:(\w+)\.)?"?(\w+)"?', re.MULTILINE)
_READS = re.compile(r"^-- reads: (.*)$", re.MULTILINE)
_BETWEEN = re.compile(r"(?<=;)\n\n(?=--|CREATE )")  # one statement and the next


@dataclass(frozen=True)
class Relation:
    """A table, a view or a macro: the SQL that creates it, and the names of the relations that it reads.

    `name` is its name in the schema `trace`, or begins with `main.`. `folder` is its layer or source. `comments` is the SQL that
    documents it and its columns.
    """

    name: str
    folder: str
    reads: frozenset[str]
    sql: str
    comments: str = ""


def folder() -> Path:
    """Where the SQL is."""
    return resources.folder("sql")


@cache
def of_folder(path: Path) -> tuple[Relation, ...]:
    """The relations that the files of a folder define, in the order of the files' names."""
    return tuple(found for file in sorted(path.glob("*.sql")) for found in of_text(file.read_text(encoding="utf-8"), path.name))


def of_text(text: str, folder_: str) -> list[Relation]:
    """The relations that a file defines: several in the file of a cause, else one."""
    definitions, mark, rest = text.partition("\nCOMMENT ON ")
    statements = [(found, each) for each in _BETWEEN.split(definitions.strip()) if (found := _CREATED.search(each))]
    comments = mark.strip() + " " + rest if rest else ""
    return [_relation(found, each, folder_, comments if not at else "") for at, (found, each) in enumerate(statements)]


def _relation(created: re.Match[str], statement: str, folder_: str, comments: str) -> Relation:
    stated = {name.strip() for line in _READS.findall(statement) for name in line.split(",")}
    return Relation(qualified(created[2], created[1]), folder_, frozenset(map(_unqualified, stated)), statement, comments)


def qualified(name: str, schema: str | None) -> str:
    """The name of a relation as in `reads`: with its schema, unless that is `trace`."""
    return name if (schema or SCHEMA).lower() == SCHEMA else f"{schema}.{name}"


def _unqualified(stated: str) -> str:
    return stated.removeprefix(f"{SCHEMA}.").replace('"', "")


def by_name(found: Iterable[Relation]) -> dict[str, Relation]:
    """Relations by name. Of two with the same name, the last."""
    return {relation.name: relation for relation in found}


def closure(
    relations: Mapping[str, Relation], wanted: Iterable[str], made: AbstractSet[str] = frozenset()
) -> dict[str, set[str]]:
    """The relations that must still be made for the wanted ones, each with those of them that it reads. `made` exist already.

    Names in other schemas, such as `export.NVTX_EVENTS`, are loaded before and do not count.
    """
    needed: dict[str, set[str]] = {}
    left = [name for name in wanted if name in relations and name not in made]
    while left:
        name = left.pop()
        if name not in needed:
            needed[name] = _reads(relations, name) - made
            left += needed[name]
    return needed


def _reads(relations: Mapping[str, Relation], name: str) -> set[str]:
    """The relations that one reads."""
    reads = relations[name].reads
    if EVERYTHING in reads:
        return {other for other in relations if other != name and EVERYTHING not in relations[other].reads}
    return {read for read in reads if read in relations or "." not in read}
