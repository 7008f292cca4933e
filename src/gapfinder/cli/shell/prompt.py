"""A small SQL shell for one database."""

import os
from functools import partial
from pathlib import Path

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from gapfinder.cli.output import answer
from gapfinder.cli.shell import dot_commands
from gapfinder.errors import GapfinderError
from gapfinder.pipeline.catalogue import RelationDoc
from gapfinder.query.database import Database
from gapfinder.query.statements import split
from gapfinder.render import rows_renderer
from gapfinder.units import clean_text

PROMPT, CONTINUED = "gapfinder> ", "      ...> "


def run_shell(database: Database, relations: dict[str, RelationDoc], format_: str) -> None:
    """Read and run statements until `.quit` or Ctrl-D. An error is printed as one line, and the shell continues.

    `relations` are the documentation of the views, by name. `format_` is the first format of the results.
    """
    click.echo(f"{database.path.name}: end a statement with a semicolon; .views lists the views, .help all commands")
    session = _session(database)
    state = dot_commands.State(format_, relations)
    while not state.ended:
        try:
            text = session.prompt().strip()
            if text.startswith("."):
                dot_commands.run(text, state)
            else:
                for statement in split(text):
                    answer(partial(database.sql, statement), rows_renderer("rows", state.format_))
        except EOFError:
            return
        except KeyboardInterrupt:
            continue
        except GapfinderError as error:
            click.echo(clean_text(str(error)), err=True)


def _session(database: Database) -> "PromptSession[str]":
    return PromptSession(
        PROMPT,
        history=FileHistory(_history()),
        completer=_completer(database),
        complete_while_typing=False,
        multiline=True,
        prompt_continuation=CONTINUED,
        key_bindings=_keys(),
    )


def _history() -> Path:
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    file = folder / "gapfinder" / "history"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _completer(database: Database) -> WordCompleter:
    columns = database.sql('SELECT relation, "column" FROM catalogue')
    keywords = database.sql("SELECT upper(keyword_name) AS word FROM duckdb_keywords() ORDER BY word")["word"]
    meta = dict.fromkeys(columns["column"], "column") | dict.fromkeys(columns["relation"], "view")
    words = [*sorted(meta), *keywords]
    return WordCompleter(words, ignore_case=True, meta_dict=meta, WORD=False)


def _keys() -> KeyBindings:
    """Enter runs a statement that ends with a semicolon, or a command that starts with a dot; else it starts a new line."""
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
