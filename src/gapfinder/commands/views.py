"""`gapfinder views`."""

from functools import partial
from pathlib import Path

import click

from gapfinder.cli_options import OUTPUT
from gapfinder.cli_output import check_output, write
from gapfinder.render.catalogue import formats, renderer


@click.command()
@click.argument("name", required=False)
@click.option("--format", "format_", type=click.Choice(formats()), default="text", show_default=True, help="How to show them.")
@OUTPUT
def views(name: str | None, format_: str, output: Path | None) -> None:
    """Say what there is to ask for in SQL: every view by layer, or NAME alone, with its columns and what they mean."""
    from gapfinder.catalogue import catalogue, relation

    check_output(output)
    found = [relation(name)] if name else list(catalogue().values())
    write(partial(renderer(format_).render, found), output)
