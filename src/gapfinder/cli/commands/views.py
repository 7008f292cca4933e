"""`gapfinder views`."""

from functools import partial
from pathlib import Path

import click

from gapfinder.cli.options import OUTPUT, format_option
from gapfinder.cli.output import check_output, write
from gapfinder.render import renderer


@click.command()
@click.argument("name", required=False)
@format_option("catalogue")
@OUTPUT
@click.option("--fleet", is_flag=True, help="The views of a fleet's ledger, instead of those of a trace.")
def views(name: str | None, format_: str, output: Path | None, fleet: bool) -> None:  # noqa: FBT001  click's signature
    """Say what there is to ask for in SQL: every view by layer, or NAME alone, with its columns and what they mean.

    The NAME glossary stands for the glossary: the words that gapfinder uses, and what they mean.
    """
    from gapfinder.fleet import catalogue as of_fleet
    from gapfinder.pipeline import catalogue
    from gapfinder.pipeline.glossary import glossary

    check_output(output)
    if name == "glossary":
        write(partial(renderer("glossary", format_).render, glossary()), output)
        return
    there = (of_fleet if fleet else catalogue).catalogue()
    found = [catalogue.documentation_of(name, there)] if name else list(there.values())
    write(partial(renderer("catalogue", format_).render, found), output)
