"""Arguments and options that commands share. Nothing here imports what reads traces: `--help` must stay quick."""

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gapfinder.options import Options, Window, nanoseconds

if TYPE_CHECKING:
    from gapfinder.analysis import Analysis

TRACE = click.argument("trace", type=click.Path(path_type=Path))
OUTPUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file instead of standard output."
)
FAIL_ON = click.option(
    "--fail-on",
    "fail_on",
    metavar="GATE",
    multiple=True,
    help="End with exit status 1 where this is so, as 'lost>20%'; may be given several times.",
)
LOCAL_CONFIG = Path("gapfinder.toml")


def trace_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that choose what is analysed; the command gets them as `options` and `config`."""

    @click.option("--step", metavar="NAME", help="NVTX range that is one step.  [default: the outermost one that repeats]")
    @click.option(
        "--window", metavar="WINDOW", help="all; steps as 5..20; or times as 1.5s..2s.  [default: the steps after warm-up]"
    )
    @click.option("--device", type=int, metavar="GPU", help="Only this GPU.")
    @click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        help="TOML file with names of NVTX ranges that speak for a cause: lists of regular expressions by cause, under [names].  "
        "[default: ./gapfinder.toml, else gapfinder/config.toml in $XDG_CONFIG_HOME or ~/.config]",
    )
    @functools.wraps(command)
    def wrapped(*, step: str | None, window: str | None, device: int | None, config: Path | None, **rest: Any) -> None:
        options = Options(step, Window.parse(window) if window else Window(), device)
        command(**rest, options=options, config=config or _usual_config())

    return wrapped


def analysis_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `trace_options`, and the one that chooses what is listed."""

    @click.option("--min-gap", metavar="TIME", default="0ns", help="List no place shorter than this, as 20us; all are counted.")
    @functools.wraps(command)
    def wrapped(*, options: Options, min_gap: str, **rest: Any) -> None:
        command(**rest, options=replace(options, min_gap_ns=nanoseconds(min_gap)))

    return trace_options(wrapped)


@contextmanager
def analysed(trace: Path, options: Options, config: Path | None) -> Iterator["Analysis"]:
    """The analysis of a trace, with progress on standard error where that is a terminal."""
    from gapfinder.analysis import analyse
    from gapfinder.config import read_patterns

    patterns = read_patterns(config)
    if not sys.stderr.isatty():
        with analyse(trace, options, patterns, lambda _: None) as analysis:
            yield analysis
        return

    from rich.console import Console

    with (
        Console(stderr=True).status(f"opening {trace.name}") as status,
        analyse(trace, options, patterns, status.update) as analysis,
    ):
        status.stop()
        yield analysis


def _usual_config() -> Path | None:
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return next((file for file in (LOCAL_CONFIG, home / "gapfinder" / "config.toml") if file.is_file()), None)
