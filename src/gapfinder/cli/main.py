"""The entry point of the command line. Each module of `gapfinder.cli.commands` is a command, imported when it is called."""

import errno
import os
import signal
import sys
from importlib import import_module
from pkgutil import iter_modules

import click

from gapfinder.cli import commands
from gapfinder.errors import GapfinderError
from gapfinder.resources import __version__
from gapfinder.system import timings as timed
from gapfinder.system.interrupting import interruptible
from gapfinder.units import clean_text

INTERRUPTED = 130  # the exit status that shells use: 128 + SIGINT


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


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
@click.option("--timings", is_flag=True, help="Say at the end, on standard error, where the seconds went.")
@click.pass_context
def gapfinder(ctx: click.Context, *, timings: bool) -> None:
    """Why does the GPU not compute? gapfinder reads Nsight Systems traces and names the cause of every lost nanosecond."""
    if timings:
        ctx.call_on_close(_say_timings)


def _say_timings() -> None:
    from gapfinder.render.timings import render

    click.echo(render(timed.timings(), timed.elapsed_s()), err=True)


def main() -> None:
    """Run the command line. Exit status: 0 done, 1 a gate failed, 2 wrong usage, 3 the trace is unusable, 130 interrupted.

    `gapfinder capture` ends with the exit status of the program that it ran.
    """
    status = 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C, so that temporary files are removed
    try:
        with interruptible():
            status = gapfinder.main(standalone_mode=False) or 0  # the status that a command passed to ctx.exit
        sys.stdout.flush()
    except GapfinderError as error:
        click.echo(f"gapfinder: {clean_text(str(error))}", err=True)
        status = error.exit_status
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("gapfinder: interrupted", err=True)
        status = INTERRUPTED
    except OSError as error:
        if error.errno != errno.EPIPE:  # a reader such as `head` that ends early is not an error
            click.echo(f"gapfinder: the output cannot be written: {error.strerror}", err=True)
            status = GapfinderError.exit_status
    sys.stderr.flush()
    # All output is written and all temporary files are removed. To end without cleanup saves 0.1 s with a gigabyte of memory.
    os._exit(status)
