"""The entry point of the command line. Each module of `gapfinder.cli.commands` is a command, imported when it is called."""

import os
import signal
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

import click

from gapfinder.cli import commands
from gapfinder.cli.failures import INTERRUPTED, exit_status
from gapfinder.cli.streams import standard_streams
from gapfinder.errors import UsageError, did_you_mean
from gapfinder.resources import __version__
from gapfinder.system import timings as timed
from gapfinder.system.ending import leave_by
from gapfinder.system.interrupting import terminate
from gapfinder.system.memory import check_address_space, check_threads
from gapfinder.system.scratch import remove_all

COMPLETE = "_GAPFINDER_COMPLETE"  # in the environment, a shell asks click for words
UNLIMITED = 10_000  # characters


class Commands(click.Group):
    """The commands in a package. The module `x` defines the click command `x`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """The names of all commands."""
        return sorted(module.name for module in iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = getattr(import_module(f"{commands.__name__}.{cmd_name}"), cmd_name)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names. Raises click.UsageError with the nearest name where it names none."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(f"there is no command {name!r}{did_you_mean(name, known)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with its first sentence, which may take several lines."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(UNLIMITED)) for name, command in found if command])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
@click.option("--timings", is_flag=True, help="Say at the end, on standard error, where the seconds went.")
@click.pass_context
def gapfinder(ctx: click.Context, *, timings: bool) -> None:
    """Why does the GPU not compute? gapfinder reads Nsight Systems traces and names the cause of every lost nanosecond."""
    check_address_space()
    check_threads()
    if timings:
        ctx.call_on_close(_say_timings)


def _say_timings() -> None:
    from gapfinder.render.timings import render

    click.echo(render(timed.timings(), timed.elapsed_s()), err=True)


def _leave(error: BaseException) -> None:
    """End at once, and tell the error. The next run removes the temporary folders."""

    def failed() -> None:
        raise error

    os._exit(exit_status(failed))


def _check_asked(asked: str) -> None:
    """Raise UsageError if a shell asks for words as no shell does: click ends without a word then, or with a traceback."""
    from click.shell_completion import get_completion_class

    shell, _, what = asked.partition("_")
    at = os.environ.get("COMP_CWORD")  # the number of the word; fish gives the word itself
    has_words = "COMP_WORDS" in os.environ and at is not None and (shell == "fish" or at.isdecimal())
    if not (get_completion_class(shell) and (what == "source" or (what == "complete" and has_words))):
        raise UsageError(f"{COMPLETE}={asked} completes nothing: see `gapfinder guide completion`, or unset it")


def _command() -> int | None:
    """Run the command; returns the status that it passed to ctx.exit. SIGTERM and SIGHUP end it as Ctrl-C does, with cleanup."""
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: terminate, signal.SIGHUP: terminate}
    for number, handler in handlers.items():
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup leaves it
            signal.signal(number, handler)
    if asked := os.environ.get(COMPLETE):
        _check_asked(asked)
    status: int | None = gapfinder.main(standalone_mode=False)
    return status


def main() -> None:
    """Run the command line.

    Exit status: 0 done, 1 a gate failed, 2 wrong usage, 3 the trace is unusable or the output cannot be written, 70 a defect of
    gapfinder, 130 interrupted. `gapfinder capture` ends with the exit status of the program that it ran.
    """
    leave_by(_leave)
    try:
        with standard_streams():
            status = exit_status(_command)
    except KeyboardInterrupt:  # while a failure was told, or the streams were closed
        status = INTERRUPTED
    with suppress(KeyboardInterrupt):  # it takes effect afterwards
        remove_all()
    # All output is written. To end without cleanup saves 0.1 s with a gigabyte of memory.
    os._exit(status)
