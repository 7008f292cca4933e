"""A small SQL shell for one database."""

from collections.abc import Iterable
from contextlib import suppress

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from gapfinder.cli.output import wrapped
from gapfinder.cli.shell import dot_commands
from gapfinder.errors import GapfinderError
from gapfinder.pipeline.catalogue import RelationDoc
from gapfinder.query.cookbook import queries
from gapfinder.query.database import Database
from gapfinder.system.interrupting import Terminated
from gapfinder.system.small_files import own_folder
from gapfinder.trace import OpenTrace
from gapfinder.units import clean, clean_text

PROMPT, CONTINUED = "gapfinder> ", "      ...> "


def run_shell(database: Database, relations: dict[str, RelationDoc], format_: str) -> None:
    """Read and run statements until `.quit` or Ctrl-D. An error is printed as one line, and the shell continues.

    `relations` are the documentation of the views, by name. `format_` is the first format of the results.
    """
    start = "end a statement with a semicolon; .views lists the views, .cookbook ready queries, .help all commands"
    click.echo(wrapped(f"{clean(database.path.name)}: {start}"))
    state = dot_commands.State(database, relations, format_)
    session = _session(database)
    while not state.ended:
        try:
            text = session.prompt().strip()
            if dot_commands.is_command(text):
                dot_commands.run(text, state)
            else:
                dot_commands.run_statements(text, state)
        except EOFError:
            return
        except Terminated:
            raise
        except KeyboardInterrupt:
            continue
        except GapfinderError as error:
            click.echo(clean_text(str(error)), err=True)


def _session(database: Database) -> "PromptSession[str]":
    return PromptSession(
        PROMPT,
        history=_history(),
        completer=_Completer(database),
        complete_while_typing=False,
        multiline=True,
        prompt_continuation=CONTINUED,
        key_bindings=_keys(),
        enable_open_in_editor=True,
        tempfile_suffix=".sql",
    )


def _history() -> History:
    file = own_folder("XDG_STATE_HOME", ".local/state") / "history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.open("a+b").close()
    except OSError as error:
        click.echo(wrapped(f"{clean(str(file))}: {error.strerror}: statements are kept only while the shell runs"), err=True)
        return InMemoryHistory()
    return _KeptHistory(file)


class _KeptHistory(FileHistory):
    """Statements in a file. Where the disk is full, the shell works on."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


class _Completer(Completer):
    """Completes commands of the shell and what follows them, and words of SQL."""

    def __init__(self, database: Database) -> None:
        self._sql = _words_of_sql(database)
        self._commands = WordCompleter(list(dot_commands.COMMANDS), sentence=True)
        formats = WordCompleter(dot_commands.text_formats())
        self._arguments = {
            ".mode": formats,
            ".format": formats,
            ".timer": WordCompleter(list(dot_commands.SWITCH)),
            ".cookbook": WordCompleter(list(queries())),
        }

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        first, space, _ = document.text_before_cursor.lstrip().partition(" ")
        in_command = first.startswith(".")
        completer = self._sql if not in_command else self._arguments.get(first, self._sql) if space else self._commands
        return completer.get_completions(document, complete_event)


def _words_of_sql(database: Database) -> WordCompleter:
    columns = database.sql('SELECT relation, "column" FROM catalogue')
    keywords = database.sql("SELECT upper(keyword_name) AS word FROM duckdb_keywords() ORDER BY word")["word"]
    functions = database.sql(
        "SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE function_name SIMILAR TO '[a-z_0-9]+'"
    )
    causes = database.config.causes if isinstance(database, OpenTrace) else {}
    meta = (
        dict.fromkeys(columns["column"], "column") | dict.fromkeys(causes, "cause") | dict.fromkeys(columns["relation"], "view")
    )
    meta = dict.fromkeys(functions["name"], "function") | meta
    words = [*sorted(meta), *keywords]
    return WordCompleter(words, ignore_case=True, meta_dict=meta, WORD=False)


def _keys() -> KeyBindings:
    """Enter runs a statement that ends with a semicolon, or a command of the shell; else it starts a new line."""
    from prompt_toolkit.application import get_app

    keys = KeyBindings()

    @Condition
    def complete() -> bool:
        text = get_app().current_buffer.text.strip()
        return not text or text.endswith(";") or dot_commands.is_command(text)

    @keys.add("enter", filter=complete)
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    return keys
