"""Arguments and options that commands share. Nothing here imports what reads traces: `--help` must stay quick."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import gapfinder
from gapfinder.errors import UsageError
from gapfinder.ingest.ledger import is_ledger
from gapfinder.render import formats

if TYPE_CHECKING:
    from gapfinder.api import Trace
    from gapfinder.fleet.open import FleetLedger
    from gapfinder.pipeline.catalogue import RelationDoc
    from gapfinder.query.database import Database

PATH = click.Path(path_type=Path, readable=False)  # what may not be read is told as all else that makes a trace unusable
TRACE = click.argument("path", metavar="TRACE", type=PATH)
TRACES = click.argument("paths", metavar="TRACE...", type=PATH, nargs=-1, required=True)
OUTPUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file instead of standard output."
)
CONFIG = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="TOML file with names of NVTX ranges that speak for a cause: lists of regular expressions by cause, under [names]. "
    "Causes of your own lie beside it, in causes/*.sql.  "
    "[default: ./gapfinder.toml, else gapfinder/config.toml in $XDG_CONFIG_HOME or ~/.config]",
)
FAIL_ON = click.option(
    "--fail-on",
    "fail_on",
    metavar="GATE",
    multiple=True,
    help="End with exit status 1 where this is so, as 'lost>20%'; may be given several times.",
)


def format_option(*kinds: str, default: str = "text") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option --format of a command that shows results of these kinds: the formats that all of them have."""
    choice = click.Choice(formats(*kinds))
    return click.option("--format", "format_", type=choice, default=default, show_default=True, help="How to show it.")


def trace_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that choose what is analysed; the command gets them as `chosen`, the keywords of `gapfinder.open`."""

    @click.option("--step", metavar="NAME", help="NVTX range that is one step.  [default: the outermost one that repeats]")
    @click.option(
        "--window",
        metavar="WINDOW",
        help="all; steps as 5..20; or times as 1.5s..2s, and then only that part is read.  [default: the steps after warm-up]",
    )
    @click.option("--device", type=int, metavar="GPU", help="Only this GPU.")
    @click.option(
        "--memory-limit",
        metavar="SIZE",
        help="Take at most this much memory, as 4GB; the rest goes to a temporary folder.  [default: half of what is free]",
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
    """Adds `trace_options`, and the one that chooses what is listed."""

    @click.option("--min-gap", metavar="TIME", default="0ns", help="List no place shorter than this, as 20us; all are counted.")
    @functools.wraps(command)
    def wrapped(*, chosen: dict[str, Any], min_gap: str, **rest: Any) -> None:
        command(**rest, chosen=chosen | {"min_gap": min_gap})

    return trace_options(wrapped)


@contextmanager
def opened(path: Path, chosen: dict[str, Any]) -> Iterator["Trace"]:
    """The trace, with progress on standard error where that is a terminal."""
    import duckdb

    from gapfinder.ingest.nsys.load import damaged, no_room

    try:
        with progress() as tell:
            trace = gapfinder.open(path, **chosen, progress=tell)
        with trace:
            yield trace
    except duckdb.OutOfMemoryException as error:
        raise no_room(path, error) from error
    except duckdb.IOException as error:  # a block of a converted file that is broken shows only when it is read
        raise damaged(path, error) from error


@contextmanager
def askable(path: Path, chosen: dict[str, Any]) -> Iterator[tuple["Database", Callable[[], dict[str, "RelationDoc"]]]]:
    """What SQL may ask, a trace or the ledger of a fleet, and what tells its relations. Raises UsageError as `ledger_at`."""
    if is_ledger(path):
        from gapfinder.fleet.catalogue import catalogue as of_fleet

        with ledger_at(path, chosen) as ledger:
            yield ledger, of_fleet
        return
    from gapfinder.pipeline.catalogue import catalogue

    with opened(path, chosen) as trace:
        yield trace, catalogue


def ledger_at(path: Path, chosen: dict[str, Any]) -> "FleetLedger":
    """The ledger of a fleet. Raises UsageError where options choose what its traces were asked for when it was made."""
    from gapfinder.fleet.open import open_ledger

    if given := [name for name in ("step", "window", "device", "config") if chosen.get(name) is not None]:
        raise UsageError(f"--{given[0]} is for a trace: {path} holds what gapfinder fleet was asked for")
    return open_ledger(path, unsafe=chosen.get("unsafe", False))


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Tells what goes on, on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update
