"""`gapfinder redact`."""

from pathlib import Path

import click

import gapfinder
from gapfinder.cli.options import CONFIG, FORCE, TRACE
from gapfinder.cli.output import say_written
from gapfinder.cli.paths import NamedPath
from gapfinder.cli.progress import progress


@click.command()
@TRACE
@click.option("-o", "--output", type=NamedPath(), required=True, help="The SQLite file to write.")
@click.option("--names", is_flag=True, help="Replace the names of kernels, ranges, functions, files and threads by codes.")
@click.option(
    "--key",
    type=NamedPath(dir_okay=False),
    help="File with the secret key of the codes, made if it does not exist. With the same key, a name has the same code.  "
    "[default: gapfinder/names.key in $XDG_CONFIG_HOME or ~/.config]",
)
@FORCE
@CONFIG
def redact(path: Path, output: Path, names: bool, key: Path | None, force: bool, config: Path | None) -> None:  # noqa: FBT001
    """Write a copy of TRACE that can be shared: it has the same diagnosis, and nothing about the machine or its user.

    The copy has no environment, no names of host and user, no command lines, no other processes, and no folders in names. Source
    lines, calls, kernels and ranges keep their names, unless --names is given.
    """
    with progress() as update:
        gapfinder.redact(path, output, names=names, key=key, force=force, config=config, progress=update)
    say_written(output)
    from gapfinder.pipeline.config import read_config  # late, since these import DuckDB, and `--help` imports every command
    from gapfinder.pipeline.own_causes import OwnCause

    if own := [spec.cause for spec in read_config(config).causes.values() if isinstance(spec, OwnCause) and spec.has("rules")]:
        click.echo(f"gapfinder: compare the diagnoses: the SQL of {', '.join(own)} may look for names that are gone", err=True)
