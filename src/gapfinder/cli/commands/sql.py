"""`gapfinder sql`."""

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from gapfinder.cli import completion
from gapfinder.cli.options import OUTPUT, TRACE, VERTICAL, format_option, opened_database, trace_options
from gapfinder.cli.output import answer, check_output, format_of_rows, renderer_of_rows, save
from gapfinder.cli.paths import NamedPath
from gapfinder.errors import UsageError

MOST_BYTES = 16_000_000  # of SQL; a device has no end


@click.command()
@TRACE
@click.argument("query", required=False)
@click.option("-f", "--file", type=NamedPath(dir_okay=False), help="Run the statements in this file.")
@click.option(
    "--cookbook",
    metavar="NAME",
    shell_complete=completion.cookbook,
    help="Run this query of the cookbook; `gapfinder views cookbook` lists them.",
)
@format_option("rows", default="table")
@VERTICAL
@OUTPUT
@click.option("--unsafe", is_flag=True, help="Allow the SQL to write, to change settings, and to use files and the network.")
@trace_options
def sql(
    path: Path,
    query: str | None,
    file: Path | None,
    cookbook: str | None,
    format_: str,
    vertical: bool,  # noqa: FBT001  click's signature
    output: Path | None,
    unsafe: bool,  # noqa: FBT001  click's signature
    chosen: dict[str, Any],
) -> None:
    """Query TRACE with SQL. `gapfinder views` lists the views and their columns.

    TRACE may be the folder of a fleet; `gapfinder views --fleet` lists its views.

    Without QUERY, statements are read from standard input; in a terminal this starts a shell with completion. The SQL is
    DuckDB's. It can only read the trace, unless --unsafe is given.
    """
    from gapfinder.query.cookbook import query as query_of
    from gapfinder.query.statements import split

    check_output(output, path, *([file] if file else []), config=chosen["config"])
    if sum(each is not None for each in (query, file, cookbook)) > 1:
        raise UsageError("QUERY, -f and --cookbook cannot be used together: keep one")
    if cookbook is not None:
        query = query_of(cookbook)
    format_ = format_of_rows(format_, vertical=vertical)
    renderer = renderer_of_rows("rows", format_, output)
    chosen |= {"unsafe": unsafe}
    if query is None and file is None and output is None and sys.stdin.isatty():
        from gapfinder.cli.shell.prompt import run_shell

        with opened_database(path, chosen) as (database, relations):
            run_shell(database, relations(), format_)
        return
    statements = split(_text(query, file))
    if output and len(statements) > 1 and not renderer.TEXT:
        raise UsageError(f"a {format_} file holds the rows of one statement, and there are {len(statements)}")
    with opened_database(path, chosen) as (database, _):
        if output:
            save((database.sql_parts(statement) for statement in statements), renderer, output)
            return
        for statement in statements:
            answer(partial(database.sql_parts, statement), renderer)


def _text(query: str | None, file: Path | None) -> str:
    try:
        if query is not None:
            return query
        with file.open("rb") if file else nullcontext(sys.stdin.buffer) as opened:
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise UsageError(f"{file or 'standard input'} cannot be read: it has more than {MOST_BYTES:,} bytes of SQL")
        return content.decode()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise UsageError(f"{file or 'standard input'} cannot be read: {why}") from error
