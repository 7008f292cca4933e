"""`gapfinder gaps`."""

from pathlib import Path
from typing import Any

import click

from gapfinder.cli import completion
from gapfinder.cli.options import OUTPUT, TRACE, VERTICAL, format_option, listing_options, opened
from gapfinder.cli.output import check_output, format_of_rows, renderer_of_rows, save, say_damage, show
from gapfinder.units import count, percent

SORTS = {"length": "length_ns", "start": "start_ns"}
NESTED_FORMATS = ("json", "parquet")  # formats that can hold the segments of a gap
TABLE_ROWS = 40
LIMITED_FORMATS = ("table", "vertical")
MUCH = 0.3  # of the lost time: so much outside of gaps is told


@click.command()
@TRACE
@click.option(
    "--by",
    type=click.Choice(["device", "stream"]),
    default="device",
    show_default=True,
    help="Gaps of whole GPUs, or of each stream.",
)
@click.option(
    "--cause", metavar="CAUSE", shell_complete=completion.causes, help="Only gaps whose longest segment has this cause."
)
@click.option(
    "--sort", type=click.Choice(list(SORTS)), default="length", show_default=True, help="Longest first, or earliest first."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"List at most this number.  [default: {TABLE_ROWS} in a table that is shown, else all]",
)
@format_option("gaps", default="table")
@VERTICAL
@OUTPUT
@listing_options
def gaps(
    path: Path,
    by: str,
    cause: str | None,
    sort: str,
    limit: int | None,
    format_: str,
    vertical: bool,  # noqa: FBT001  click's signature
    output: Path | None,
    chosen: dict[str, Any],
) -> None:
    """List the gaps in TRACE: when, how long, between which activities, which thread was late, and why.

    A gap of a stream costs nothing while the GPU computes on another stream; computing_ns is the length of that part.
    """
    from gapfinder.diagnosis.gaps import check, count_gaps, list_gaps, lost_elsewhere
    from gapfinder.pipeline.config import read_config

    check_output(output, path, config=chosen["config"])
    check(by, cause, read_config(chosen["config"]).causes)
    format_ = format_of_rows(format_, vertical=vertical)
    renderer = renderer_of_rows("gaps", format_, output)
    shown = format_ in LIMITED_FORMATS and not output
    rows = TABLE_ROWS if shown and not limit else limit
    with opened(path, chosen) as trace:
        frame = list_gaps(trace, by=by, cause=cause, sort=SORTS[sort], limit=rows, segments=format_ in NESTED_FORMATS)
        left = count_gaps(trace, by=by, cause=cause) - frame.height if shown and not limit else 0
        elsewhere = lost_elsewhere(trace) if shown else 0.0
        say_damage(trace)
    if format_ in LIMITED_FORMATS:
        frame = frame.drop("gap_id", strict=False)
    if output:
        save([[frame]], renderer, output)
        return
    more = f"\n{count(left, 'gap')} more: --limit shows them\n" if left else ""
    if frame.is_empty() and format_ in LIMITED_FORMATS:
        elsewhere_too = "it may cost a smaller part of some, or time in which activities run"
        more = f"\n{cause} is the main cause of no gap: {elsewhere_too}\n" if cause else "\nno gaps\n"
    if elsewhere >= MUCH:
        more += f"\n{percent(elsewhere)} of the lost time is not in gaps: activities run, and nothing computes.\n"
        more += "`gapfinder diagnose` names its causes.\n"
    show([frame], renderer, more=more)
