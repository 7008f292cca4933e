"""`gapfinder guide`."""

import click
from click.shell_completion import CompletionItem


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from gapfinder.guides import guides

    return [CompletionItem(each.topic, help=each.question) for each in guides() if each.topic.startswith(incomplete)]


@click.command()
@click.argument("topic", required=False, shell_complete=_complete)
def guide(topic: str | None) -> None:
    """Read the guide to TOPIC, or list the topics.

    In a terminal it is shown with colours, a page at a time; in a pipe as Markdown.
    """
    from gapfinder.cli.output import page, width
    from gapfinder.guides import guide_of, guides
    from gapfinder.render.guides import shown, topics

    columns = width()
    if topic is None:
        page(topics(guides(), columns))
    else:
        page(shown(guide_of(topic), columns) if columns else guide_of(topic).text)
