"""Arguments and options that several commands share. Slow imports are inside functions, so that `--help` is quick."""

import functools
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import gapfinder
from gapfinder.cli import completion
from gapfinder.cli.paths import NamedPath
from gapfinder.cli.progress import progress
from gapfinder.errors import UsageError
from gapfinder.ingest.manifest import is_fleet
from gapfinder.render import formats
from gapfinder.system.memory import parse_size
from gapfinder.units import clean_text

if TYPE_CHECKING:
    from gapfinder.api import Trace
    from gapfinder.fleet.open import OpenFleet
    from gapfinder.options import Options
    from gapfinder.pipeline.catalogue import RelationDoc
    from gapfinder.pipeline.config import Config
    from gapfinder.query.database import Database

ENDINGS = {"md": "markdown", "txt": "text", "xml": "junit"}  # of files, where these are not the name of the format
# A path without read permission is reported as an unusable trace, with exit status 3.
PATH = NamedPath(readable=False)
TRACE = click.argument("path", metavar="TRACE", type=PATH)
TRACES = click.argument("paths", metavar="TRACE...", type=PATH, nargs=-1, required=True)
OUTPUT = click.option("-o", "--output", type=NamedPath(dir_okay=False), help="Write to this file instead of standard output.")
FORCE = click.option("--force", is_flag=True, help="Replace an existing file.")
SKIP_UNUSABLE = click.option(
    "--skip-unusable", is_flag=True, help="Leave out traces of a job that cannot be used; the notes name them."
)
VERTICAL = click.option("-x", "--vertical", is_flag=True, help="One value below the other, each row with all its columns.")


def mention_config() -> None:
    """Mention the config of the working folder, if it is used: a stranger may have put it there."""
    from gapfinder.pipeline.config import LOCAL, files_of

    if LOCAL in files_of(None):
        click.echo(f"gapfinder: using ./{LOCAL}, with the causes beside it; --config names another", err=True)


def _mentioned(ctx: click.Context, _: click.Parameter, config: Path | None) -> Path | None:
    """The config that was named. Where none was, the usual one is mentioned."""
    if not config and not ctx.resilient_parsing:
        mention_config()
    return config


CONFIG = click.option(
    "--config",
    callback=_mentioned,
    type=NamedPath(dir_okay=False),
    help="TOML file with names of NVTX ranges that belong to a cause: lists of regular expressions by cause, under [names]. "
    "Your own causes are in the folder beside it, in causes/*.sql.  "
    "[default: ./gapfinder.toml, else gapfinder/config.toml in $XDG_CONFIG_HOME or ~/.config]",
)
FAIL_ON = click.option(
    "--fail-on",
    "fail_on",
    metavar="GATE",
    multiple=True,
    shell_complete=completion.gates,
    help="End with exit status 1 if this is true, for example 'lost>20%'. May be repeated.",
)


def format_option(*kinds: str, default: str = "text") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option --format of a command that shows results of these kinds; it offers the formats that all of them have."""
    offered = formats(*kinds)

    def with_option(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(*arguments: Any, format_: str | None, output: Path | None = None, **options: Any) -> None:
            options |= {"output": output} if has_output else {}
            command(*arguments, format_=format_ or by_name(output, offered) or default, **options)

        has_output = "output" in signature(command).parameters
        or_named = ", or that of the FILE's name" if has_output else ""
        text = f"Format of the output.  [default: {default}{or_named}]"
        return click.option("--format", "format_", type=click.Choice(offered), help=text)(run)

    return with_option


def by_name(output: Path | None, offered: Collection[str]) -> str | None:
    """The format that the name of an output file ends in; None if it is not among those that are offered."""
    ending = output.suffix.removeprefix(".") if output else ""
    named = ENDINGS.get(ending, ending)
    return named if named in offered else None


def trace_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose what is analysed. The command gets them as `chosen`: keyword arguments of `gapfinder.open`."""

    @click.option(
        "--step",
        metavar="NAME",
        shell_complete=completion.steps,
        help="Name of the NVTX range that is one step.  [default: the outermost range that repeats]",
    )
    @click.option(
        "--window",
        metavar="WINDOW",
        help="all; a kind of regime, as steps or validation; steps by number, as in 5..20; or times, as in 1.5s..2s, which reads "
        "only that part.  [default: the kind of regime that loses most, after warm-up; of a job its steps]",
    )
    @click.option("--device", type=int, metavar="GPU", help="Analyse only this GPU.")
    @click.option(
        "--memory-limit",
        metavar="SIZE",
        help="Use at most this much memory, as in 4GB; the rest goes to a temporary folder.  [default: half of the free memory]",
    )
    @CONFIG
    @functools.wraps(command)
    def wrapped(
        *, step: str | None, window: str | None, device: int | None, memory_limit: str | None, config: Path | None, **rest: Any
    ) -> None:
        chosen = {"step": step, "window": window, "device": device, "memory_limit": memory_limit, "config": config}
        command(**rest, chosen=chosen)

    return wrapped


def listing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `trace_options`, and the option --min-gap."""

    @click.option(
        "--min-gap",
        metavar="TIME",
        default="0ns",
        help="List no gap or segment shorter than this, for example 20us. All of them count in the sums.",
    )
    @functools.wraps(command)
    def wrapped(*, chosen: dict[str, Any], min_gap: str, **rest: Any) -> None:
        command(**rest, chosen=chosen | {"min_gap": min_gap})

    return trace_options(wrapped)


@contextmanager
def opened(path: Path, chosen: dict[str, Any], update: Callable[[str], None] | None = None) -> Iterator["Trace"]:
    """The open trace. `update` shows what goes on, for as long as the caller wants; without it, while the trace is read.

    Raises the errors of `gapfinder.open`.
    """
    import duckdb

    from gapfinder.ingest.nsys.load import unreadable

    try:
        with nullcontext(update) if update else progress() as say:
            trace = gapfinder.open(path, **chosen, progress=say)
        with trace:
            yield trace
    except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
        raise unreadable(path, error) from error


def parsed(chosen: dict[str, Any]) -> tuple["Options", "Config"]:
    """What `trace_options` chose, as those who open a trace take it."""
    from gapfinder.options import Options
    from gapfinder.pipeline.config import read_config

    options = Options.parse(chosen["step"], chosen["window"], chosen["device"], chosen["memory_limit"])
    return options, read_config(chosen["config"])


@contextmanager
def opened_database(path: Path, chosen: dict[str, Any]) -> Iterator[tuple["Database", Callable[[], dict[str, "RelationDoc"]]]]:
    """An open trace or fleet, and the function that documents its relations. Raises UsageError as `opened_fleet`."""
    if is_fleet(path):
        from gapfinder.fleet.catalogue import catalogue as fleet_catalogue

        with opened_fleet(path, chosen) as fleet:
            yield fleet, fleet_catalogue
        return
    from gapfinder.pipeline.catalogue import catalogue

    with opened(path, chosen) as trace:
        yield trace, catalogue


def opened_fleet(path: Path, chosen: dict[str, Any]) -> "OpenFleet":
    """The open fleet. Raises UsageError for an option that applies only to a trace."""
    from gapfinder.fleet.open import open_fleet

    if given := [name for name in ("step", "window", "device", "config") if chosen.get(name) is not None]:
        raise UsageError(f"--{given[0]} is for a trace: {path} was made with the options of gapfinder fleet")
    memory_bytes = parse_size(limit) if (limit := chosen.get("memory_limit")) else None
    fleet = open_fleet(path, unsafe=chosen.get("unsafe", False), memory_bytes=memory_bytes)
    for file in fleet.damaged:
        click.echo(f"gapfinder: {clean_text(str(file))} is damaged and left out: run gapfinder fleet again", err=True)
    return fleet
