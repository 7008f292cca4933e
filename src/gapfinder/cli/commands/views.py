"""`gapfinder views`."""

from functools import partial
from pathlib import Path

import click

from gapfinder.cli import completion
from gapfinder.cli.options import OUTPUT, format_option
from gapfinder.cli.output import check_output, write
from gapfinder.render import renderer


@click.command()
@click.argument("name", required=False, shell_complete=completion.views)
@format_option("catalogue")
@OUTPUT
@click.option("--fleet", is_flag=True, help="Print the views of a fleet instead of those of a trace.")
def views(name: str | None, format_: str, output: Path | None, fleet: bool) -> None:  # noqa: FBT001  click's signature
    """Print the views that SQL can query, with their columns and what they mean: all views by layer, or only NAME.

    `gapfinder views glossary` prints the words that gapfinder uses, and what they mean. `gapfinder views cookbook` prints the
    questions that ready queries answer, for `gapfinder sql --cookbook`.
    """
    from gapfinder.fleet import catalogue as fleet_catalogue
    from gapfinder.pipeline import catalogue
    from gapfinder.pipeline.glossary import glossary
    from gapfinder.query.cookbook import questions

    check_output(output)
    if name in {"glossary", "cookbook"}:
        write(partial(renderer("glossary", format_).render, glossary() if name == "glossary" else questions()), output)
        return
    every = (fleet_catalogue if fleet else catalogue).catalogue()
    chosen = [catalogue.documentation_of(name, every)] if name is not None else list(every.values())
    write(partial(renderer("catalogue", format_).render, chosen), output)
