"""Turns whatever ends a command into one line on standard error and an exit status. Nothing passes it as a traceback."""

import errno
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import click

import gapfinder
from gapfinder.errors import GapfinderError, did_you_mean
from gapfinder.system.interrupting import interruptible
from gapfinder.units import clean_text

DONE, UNUSABLE, DEFECT = 0, GapfinderError.exit_status, 70  # 70 is EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # the exit status that shells use: 128 + SIGINT
TRACEBACK = "GAPFINDER_TRACEBACK"  # the variable that asks for tracebacks
OWN_FILES = Path(gapfinder.__file__).parent


def exit_status(command: Callable[[], int | None]) -> int:
    """Run a command; returns its exit status, once its output is written or its failure is told."""
    try:
        with interruptible():
            status = command() or DONE
        sys.stdout.flush()
    except SystemExit as error:  # completion of the command line ends so
        return error.code if isinstance(error.code, int) else DEFECT
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        click.echo(f"gapfinder: {clean_text(_of_usage(error))}", err=True)
        return error.exit_code
    except BaseException as error:  # noqa: BLE001  also a panic of polars, which is no Exception
        status, line = _told(error)
        if os.environ.get(TRACEBACK):
            traceback.print_exception(error)
        click.echo(f"gapfinder: {clean_text(line)}", err=True)
    return status


def _told(error: BaseException) -> tuple[int, str]:
    """The exit status of a failure, and what is said about it."""
    match error:
        case GapfinderError():
            return error.exit_status, str(error)
        case KeyboardInterrupt() | click.Abort():
            return INTERRUPTED, "interrupted"
        case OSError():
            return UNUSABLE, _of_system(error)
        case BaseExceptionGroup():  # of the tasks of a server
            return _told(error.exceptions[0])
    if _is_out_of_memory(error):
        return UNUSABLE, "there is not enough memory: set --memory-limit lower, raise the limit of the process, or free some"
    return DEFECT, (
        f"a defect of gapfinder {gapfinder.__version__}, not of your input or command: {_last_own_line(error)}: "
        f"{type(error).__name__}: {str(error).partition(chr(10))[0]}. Please report this line with the command that you ran; "
        f"{TRACEBACK}=1 in the environment shows more"
    )


def _of_usage(error: click.ClickException) -> str:
    """What is wrong with the command line, in one line, and where to read on."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return error.format_message()
    message = error.format_message()
    if isinstance(error, click.NoSuchOption):
        known = [name for option in context.command.get_params(context) for name in option.opts if name.startswith("--")]
        message = f"there is no option {error.option_name}{did_you_mean(error.option_name, known)}"
    return f"{' '.join(message.split())} (`{context.command_path} --help` says more)"


def _of_system(error: OSError) -> str:
    """An error of the system, with the file that it is about. One without a file is about a standard stream."""
    why = error.strerror or str(error)
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {why}"
    return (
        f"standard input or output cannot be used: {why}"
        if error.errno == errno.EBADF
        else f"the output cannot be written: {why}"
    )


def _is_out_of_memory(error: BaseException) -> bool:
    """Whether the system, or DuckDB within its limit, gave no more memory or threads."""
    return (
        isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException" or "can't start new thread" in str(error)
    )


def _last_own_line(error: BaseException) -> str:
    """The line of gapfinder that was last reached, as module.py:12."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(OWN_FILES)]
    return f"{Path(own[-1].filename).relative_to(OWN_FILES)}:{own[-1].lineno}" if own else "unknown line"
