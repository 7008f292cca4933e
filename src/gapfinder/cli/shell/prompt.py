"""A small SQL shell on one trace."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from gapfinder.cli.shell import dot_commands
from gapfinder.cli.shell.show import show
from gapfinder.errors import GapfinderError
from gapfinder.pipeline.catalogue import RelationDoc
from gapfinder.query.statements import split
from gapfinder.units import clean_text

if TYPE_CHECKING:
    import polars as pl

PROMPT, CONTINUED = "gapfinder> ", "      ...> "


class Asked(Protocol):
    """A trace, or the ledger of a fleet."""

    path: Path

    def sql(self, query: str) -> "pl.DataFrame":
        """The result of one statement. Raises UsageError."""


def converse(trace: Asked, relations: dict[str, RelationDoc], format_: str) -> None:
    """Ask for statements and show what they find, until `.quit` or Ctrl-D. An error is one line, and the shell goes on.

    `relations` are what there is to ask for.
    """
    click.echo(f"{trace.path.name}: SQL ends with a semicolon; .views lists what there is, .help what else one can say")
    session = _session(trace)
    state = dot_commands.State(format_, relations)
    while not state.ended:
        try:
            text = session.prompt().strip()
            if text.startswith("."):
                dot_commands.obey(text, state)
            else:
                for statement in split(text):
                    show(trace.sql(statement), state.format_)
        except EOFError:
            return
        except KeyboardInterrupt:
            continue
        except GapfinderError as error:
            click.echo(clean_text(str(error)), err=True)


def _session(trace: Asked) -> "PromptSession[str]":
    return PromptSession(
        PROMPT,
        history=FileHistory(_history()),
        completer=_completer(trace),
        complete_while_typing=False,
        multiline=True,
        prompt_continuation=CONTINUED,
        key_bindings=_keys(),
    )


def _history() -> Path:
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    file = home / "gapfinder" / "history"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _completer(trace: Asked) -> WordCompleter:
    columns = trace.sql('SELECT relation, "column" FROM catalogue')
    keywords = trace.sql("SELECT upper(keyword_name) AS word FROM duckdb_keywords() ORDER BY word")["word"]
    meta = dict.fromkeys(columns["column"], "column") | dict.fromkeys(columns["relation"], "view")
    words = [*sorted(meta), *keywords]
    return WordCompleter(words, ignore_case=True, meta_dict=meta, WORD=False)


def _keys() -> KeyBindings:
    """Enter ends a statement behind its semicolon, and a command that starts with a dot; else it begins a new line."""
    from prompt_toolkit.application import get_app

    keys = KeyBindings()

    @Condition
    def complete() -> bool:
        text = get_app().current_buffer.text.strip()
        return not text or text.startswith(".") or text.endswith(";")

    @keys.add("enter", filter=complete)
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    return keys
