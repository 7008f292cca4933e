"""The server that an agent starts. Each question is answered by a process that may be ended without the server."""

import json
import os
import signal
import time
from collections.abc import Callable
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any

import anyio
from anyio import BrokenWorkerProcess, to_process
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from gapfinder.agents.folder import Folder
from gapfinder.agents.tools import Answer, Tools
from gapfinder.errors import GapfinderError
from gapfinder.pipeline.config import read_config
from gapfinder.resources import __version__
from gapfinder.system.ending import leave_by, started
from gapfinder.system.environment import OWN_MODULES, changed
from gapfinder.system.interrupting import terminate
from gapfinder.system.scratch import scratch

ANSWER_S = 600  # at most; then the process that answers is ended
LOOK_EVERY_S = 1.0
INSTRUCTIONS = """gapfinder says why a GPU did not compute, from traces of NVIDIA Nsight Systems.

Begin with list_traces and diagnose. Times are in ns since the session began, shares are 0 to 1. The ledger of each GPU is exact:
compute and the lost time of all causes add up to the window. Quote evidence by its id, and gaps by their gap_id. What a trace
cannot tell stands in `notes`: do not guess beyond it. For anything else, use query with DuckDB's SQL: describe_views says what
there is."""


def server(path: Path, memory_limit: str | None, config: Path | None) -> MCPServer:
    """A server with the tools for the traces in a folder. It answers one question after the other.

    Without a `config`, only the built-in causes are known: what lies in the working folder may be a stranger's.
    """
    made: MCPServer = MCPServer("gapfinder", version=__version__, instructions=INSTRUCTIONS, log_level="CRITICAL")
    turn = anyio.Lock()

    def asked(tool: Callable[..., Answer]) -> Callable[..., Any]:
        @wraps(tool)
        async def answer(**arguments: Any) -> Answer:
            try:
                async with turn:
                    with anyio.fail_after(ANSWER_S):
                        return await to_process.run_sync(
                            _answer, os.getpid(), path, memory_limit, config, tool.__name__, arguments, cancellable=True
                        )
            except GapfinderError as error:
                raise ToolError(str(error)) from error
            except TimeoutError as error:
                raise ToolError(f"this takes more than {ANSWER_S} s: ask for less, such as a shorter window") from error
            except BrokenWorkerProcess as error:
                raise ToolError(
                    "the process that answered ended, as for want of memory: select fewer rows or shorter texts"
                ) from error
            except Exception as error:
                raise ToolError(f"a defect of gapfinder {__version__}: {type(error).__name__}: {error}") from error

        return answer

    tools = _tools_of(path, memory_limit, config)  # for their names and parameters: _answer asks those of another process
    for name in vars(Tools):
        if not name.startswith("_"):
            made.tool(annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))(asked(getattr(tools, name)))
    return made


def _tools_of(path: Path, memory_limit: str | None, config: Path | None) -> Tools:
    return Tools(Folder(path, memory_limit, read_config(config, users=config is not None)))


@cache
def _tools(server: int, path: Path, memory_limit: str | None, config: Path | None) -> Tools:
    """The tools of the process that answers, in which traces stay open."""
    leave_by(lambda _: os._exit(1))  # where a query goes on to take memory; the server then gets a BrokenWorkerProcess
    started(partial(_end_with, server))
    return _tools_of(path, memory_limit, config)


def _answer(
    server: int, path: Path, memory_limit: str | None, config: Path | None, tool: str, arguments: dict[str, Any]
) -> Answer:
    answer: Answer = getattr(_tools(server, path, memory_limit, config), tool)(**arguments)
    # the folder may have a name that is not UTF-8
    text: Answer = json.loads(json.dumps(answer, ensure_ascii=False).encode(errors="replace"))
    return text


def _end_with(server: int) -> None:
    """End this process once the server is gone, which may have been killed. What it still asks, nobody waits for."""
    while os.getppid() == server:
        time.sleep(LOOK_EVERY_S)
    os._exit(1)


def serve(path: Path, memory_limit: str | None, config: Path | None) -> None:
    """Serve the traces in a folder on standard input and output, until these are closed. Raises UsageError for a wrong config."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, terminate)  # asyncio would replace Python's own by one that waits for more input
    try:
        with changed(OWN_MODULES):
            server(path, memory_limit, config).run("stdio")
    finally:
        with scratch():  # making one removes those that processes left which were ended
            pass
