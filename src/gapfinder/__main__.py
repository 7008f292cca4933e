"""`gapfinder`, and `python -m gapfinder`."""

import signal


def main() -> None:
    """Run the command line. Ctrl-C ends the program at once while Python still imports it."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gapfinder.cli.main import main as command_line

    command_line()


if __name__ == "__main__":
    main()
