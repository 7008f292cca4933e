"""`gapfinder redact`."""

from pathlib import Path

import click

import gapfinder
from gapfinder.cli.options import CONFIG, TRACE, progress


@click.command()
@TRACE
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The SQLite file to write.")
@click.option("--names", is_flag=True, help="Put codes in place of the names of kernels, ranges, functions, files and threads.")
@click.option(
    "--key",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File with the secret of the codes, made if it is not there: with the same one a name has the same code.  "
    "[default: gapfinder/names.key in $XDG_CONFIG_HOME or ~/.config]",
)
@click.option("--force", is_flag=True, help="Replace what is there.")
@CONFIG
def redact(path: Path, output: Path, names: bool, key: Path | None, force: bool, config: Path | None) -> None:  # noqa: FBT001
    """Write what may be shared of TRACE: an export with the same diagnosis, and nothing of its machine and its user.

    No environment, host, user, command line and foreign process is in it, and no folder in any name. Lines, calls, kernels
    and ranges keep their names, but with --names.
    """
    with progress() as tell:
        gapfinder.redact(path, output, names=names, key=key, force=force, config=config, progress=tell)
