"""Runs under nsys, as a script of its own, and becomes the program that is to be recorded.

nsys records its own environment, and copies what its child prints into the report. So it is started with next to no
environment, and the program gets the user's variables and the user's standard streams here: variables from a file that
is deleted at once, streams as file descriptors. usage: launcher.py FILE IN,OUT,ERR GIVEN PROGRAM [ARGUMENT ...], with
GIVEN the names, joined by commas, of the variables that nsys was started with.
"""

import os
import sys

CANNOT_RUN = 126  # as shells say it


def main() -> None:
    """Take over the user's environment and streams, and become the program."""
    file, streams, given, *program = sys.argv[1:]
    with open(file, "rb") as variables:  # noqa: PTH123  pathlib takes 10 ms to import
        user = dict(entry.split(b"=", 1) for entry in variables.read().split(b"\0") if entry)
    os.unlink(file)  # noqa: PTH108  likewise
    of_nsys = {name: value for name, value in os.environb.items() if name.decode() not in given.split(",")}
    preloads = [preload for variables in (of_nsys, user) if (preload := variables.get(b"LD_PRELOAD"))]
    environment = user | of_nsys | ({b"LD_PRELOAD": b":".join(preloads)} if preloads else {})
    for number, stream in enumerate(streams.split(",")):
        os.dup2(int(stream), number)
        os.close(int(stream))
    try:
        os.execve(program[0], program, environment)  # noqa: S606  the user's own program
    except OSError as error:
        print(f"gapfinder: {program[0]} cannot be run: {error.strerror}", file=sys.stderr)  # noqa: T201
        sys.exit(CANNOT_RUN)


if __name__ == "__main__":
    main()
