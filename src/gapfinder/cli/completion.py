"""What the system's shells complete besides commands and options: causes, views, steps and workloads.

Only what is quick is imported and read: a shell asks at each Tab.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from gapfinder.gates.expression import quantities
from gapfinder.resources import folder

PLAIN = re.compile(r"[\w.][\w.:/@%+=,#-]*")  # no shell does anything with such a word


def causes(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The causes that gapfinder knows, and the user's own beside ./gapfinder.toml."""
    files = [*_built_in(), *Path("causes").glob("*.sql")]
    return _plain(sorted(file.stem for file in files), incomplete)


def removable_causes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Those that a what-if can remove. The user's own ones are offered, whatever they say of that."""
    kept = {file.stem for file in _built_in() if "\nremove = false\n" in file.read_text(encoding="utf-8")}
    return [item for item in causes(ctx, param, incomplete) if item.value not in kept]


def gates(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What a gate compares."""
    more = [CompletionItem(name) for name in sorted(quantities(())) if name.startswith(incomplete)]
    return [*causes(ctx, param, incomplete), *more]


def views(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The views of a trace or, with --fleet, of a fleet; what a row is stands below each name on their page."""
    page = folder("sql") / ("fleet/views.md" if ctx.params.get("fleet") else "README.md")
    found = re.findall(r"^### ([a-z_0-9]+)\n\n(.*)\.", page.read_text(encoding="utf-8"), re.MULTILINE)
    known = [("glossary", "The words that gapfinder uses"), ("cookbook", "Questions, each with a ready query"), *found]
    return [CompletionItem(name, help=meaning) for name, meaning in known if name.startswith(incomplete)]


def cookbook(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The queries of the cookbook, each with its question."""
    from gapfinder.query.cookbook import questions

    return [CompletionItem(name, help=question) for name, question in questions().items() if name.startswith(incomplete)]


def steps(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The NVTX ranges that repeat in the trace that was typed, if it is an SQLite export."""
    from gapfinder.ingest.nsys.range_names import range_names

    trace = next((Path(word) for word in ctx.args if not word.startswith("-")), None)  # click leaves words unread at an option
    return _plain(range_names(trace) if trace else [], incomplete)


def workloads(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The programs with a planted fault."""
    from gapfinder.workload.scripts import all_workloads

    return [CompletionItem(each.name, help=each.summary) for each in all_workloads() if each.name.startswith(incomplete)]


def _plain(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Names that a shell takes as they are: Bash writes what it is given into the line, and a trace may name a command."""
    return [CompletionItem(name) for name in names if name.startswith(incomplete) and PLAIN.fullmatch(name)]


def _built_in() -> list[Path]:
    """The files of the causes that gapfinder knows."""
    return list((folder("sql") / "trace" / "40_causes").glob("*.sql"))
