"""Reads the file of a cause: its facts, as TOML, and its SQL."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from gapfinder.errors import UsageError
from gapfinder.pipeline.cause_spec import BASES, LAST_PRIORITY, NEEDS, REMOVABLE, STATES, CauseSpec, Removal, StateRule
from gapfinder.system.small_files import read_own
from gapfinder.units import clean_text

NO_FACTS = {"cause", "sql"}  # fields of CauseSpec that are not facts in the file
_FACTS = re.compile(r"\A/\* cause\n(.*?)^\*/\n", re.DOTALL | re.MULTILINE)
_ID = re.compile(r"[a-z][a-z0-9_]*")
_COLOR = re.compile(r"#[0-9a-f]{6}")
MOST_CHARS = 1_000  # of a sentence


def read(file: Path) -> CauseSpec:
    """The cause in a file. Raises UsageError, which names the file."""
    text = read_own(file)
    try:
        if not _ID.fullmatch(file.stem):
            raise UsageError(f"{file}: the name of a cause is made of a-z, 0-9 and _")
        if not (head := _FACTS.match(text)):
            raise UsageError(f"{file}: a cause begins with its facts, as TOML between '/* cause' and '*/'")
        return _cause(file.stem, tomllib.loads(head[1]), text[head.end() :])
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: {error}") from error


def _cause(cause: str, facts: dict[str, Any], sql: str) -> CauseSpec:
    """Raises ValueError if the facts are wrong."""
    if facts.get("meaning", "") == "":
        raise ValueError("the facts of a cause need a meaning")
    states, remove = _states(facts.pop("states", [])), facts.pop("remove", {})
    if not isinstance(remove, dict) and remove is not False:
        raise ValueError("remove is a table, or false where a replay cannot take the cause away")
    found = _checked(CauseSpec, facts)
    if unknown := [need for need in found.get("needs", ()) if need not in NEEDS]:
        raise ValueError(f"a cause cannot need {unknown[0]!r}; needs are {', '.join(NEEDS)}")
    for color in ("color", "color_dark"):
        if not _COLOR.fullmatch(found.get(color, "#000000")):
            raise ValueError(f"{color} is six hexadecimal digits, as #d03b3b")
    removal = _removal(remove) if isinstance(remove, dict) else None
    return CauseSpec(**(found | {"cause": cause, "states": states, "remove": removal, "sql": sql}))


def _removal(facts: dict[str, Any]) -> Removal:
    """Raises ValueError if a fact is wrong, or names what there is not."""
    found = _checked(Removal, facts)
    for name, known in REMOVABLE.items():
        if unknown := [each for each in found.get(name, ()) if each not in known]:
            raise ValueError(f"there is no {unknown[0]!r} to remove; {name} are {', '.join(known)}")
    return Removal(**found)


def _states(rules: Any) -> tuple[StateRule, ...]:
    """Raises ValueError if a rule on a state is wrong."""
    if not isinstance(rules, list) or not all(isinstance(rule, dict) and {"state", "priority"} <= rule.keys() for rule in rules):
        raise ValueError("states are tables [[states]], each with a state and a priority")
    found = tuple(StateRule(**_checked(StateRule, rule)) for rule in rules)
    for rule in found:
        if rule.state not in STATES:
            raise ValueError(f"there is no state {rule.state!r}; the states are {', '.join(STATES)}")
        if rule.basis not in BASES or not 0 <= rule.priority <= LAST_PRIORITY:
            raise ValueError(f"a rule has a priority of 0 to {LAST_PRIORITY}, and a basis: {', '.join(BASES)}")
    return found


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_CHARS and clean_text(value) == value


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


A_TEXT = f"a text in one line, of at most {MOST_CHARS:,} characters"
_TYPES: dict[Any, tuple[Callable[[Any], bool], str]] = {
    str: (_is_text, A_TEXT),
    str | None: (_is_text, A_TEXT),
    bool: (lambda value: isinstance(value, bool), "true or false"),
    int: (lambda value: isinstance(value, int) and not isinstance(value, bool), "a whole number"),
    float: (_is_share, "a share, 0 to 1"),
    tuple[str, ...]: (lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value), "a list of texts"),
}


def _checked(kind: type, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts for the fields of `kind`, with lists as tuples. Raises ValueError if one is not a field or has the wrong type."""
    hints = get_type_hints(kind)
    types = {field.name: _TYPES[hints[field.name]] for field in fields(kind) if hints[field.name] in _TYPES}
    types = {name: found for name, found in types.items() if name not in NO_FACTS}
    for name, value in facts.items():
        if name not in types:
            raise ValueError(f"there is no fact {name!r}; here stand {', '.join(types)}")
        fits, called = types[name]
        if not fits(value):
            raise ValueError(f"{name} is {called}")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
