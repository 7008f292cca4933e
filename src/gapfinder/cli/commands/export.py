"""`gapfinder export`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gapfinder.cli.options import FORCE, TRACE, listing_options, opened
from gapfinder.cli.output import check_output, say_damage, say_written
from gapfinder.cli.paths import NamedPath
from gapfinder.errors import UsageError
from gapfinder.export import exporter, formats
from gapfinder.system.paths import real
from gapfinder.system.writing import check_free, written


def _format_options(command: Callable[..., None]) -> Callable[..., None]:
    for name in reversed(formats()):
        help_text = (exporter(name).__doc__ or "").partition("\n")[0]  # python -OO removes it
        command = click.option(f"--{name}", metavar="FILE", type=NamedPath(dir_okay=False), help=help_text)(command)
    return command


@click.command()
@TRACE
@_format_options
@FORCE
@listing_options
def export(path: Path, *, force: bool, chosen: dict[str, Any], **files: Path | None) -> None:
    """Write TRACE, with its gaps and their causes, to files for other tools.

    The Perfetto file has the whole recording, and the gaps and causes of the window. With --window, it has only what overlaps it.
    """
    wanted = {name: file for name, file in files.items() if file}
    if not wanted:
        raise UsageError(f"choose what to write: {', '.join(f'--{name} FILE' for name in files)}")
    for file in wanted.values():
        check_output(file, path, config=chosen["config"])
        check_free(file, force=force)
    if len({real(file) for file in wanted.values()}) < len(wanted):
        raise UsageError("two formats cannot be written to one file: name a file for each")
    with opened(path, chosen) as trace:
        for name, file in wanted.items():
            with written(file) as new:
                exporter(name).write(trace, new)
        say_damage(trace)
    say_written(*wanted.values())
