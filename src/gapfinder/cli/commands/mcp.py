"""`gapfinder mcp`."""

from pathlib import Path

import click

from gapfinder.cli.paths import NamedPath
from gapfinder.errors import UsageError


@click.command()
@click.argument("folder", type=NamedPath(exists=True, file_okay=False))
@click.option("--memory-limit", metavar="SIZE", help="Use at most this much memory for a trace, as in 4GB.")
@click.option(
    "--config",
    type=NamedPath(dir_okay=False),
    help="TOML file as other commands have it, with your own causes beside it. Without it, none is used.",
)
def mcp(folder: Path, memory_limit: str | None, config: Path | None) -> None:
    """Serve the traces in FOLDER to agents, by the Model Context Protocol on standard input and output.

    An agent can diagnose, list gaps, ask what if, compare, and query with SQL. It can write nothing, and read nothing else.
    `gapfinder guide agents` says how to set an agent up.
    """
    try:
        from gapfinder.agents.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "pydantic"}:
            raise
        raise UsageError("the SDK of the Model Context Protocol is not installed: pip install 'mcp>=2,<3'") from error
    serve(folder, memory_limit, config)
