"""A script that nsys starts, and that becomes the program to record.

nsys writes its own environment and the output of its child into the report. So it is started with almost no environment, and
this script gives the program the user's variables, from a file that it deletes, and the user's standard streams, as file
descriptors.

usage: launcher.py FILE IN,OUT,ERR GIVEN PROGRAM [ARGUMENT ...]

GIVEN are the names of the variables that nsys was started with, separated by commas.
"""

import os
import sys

CANNOT_RUN = 126  # the exit status that shells use


def main() -> None:
    """Restore the user's environment and streams, and become the program."""
    file, streams, given, *program = sys.argv[1:]
    with open(file, "rb") as variables:  # noqa: PTH123  importing pathlib takes 10 ms
        entries = [entry.split(b"=", 1) for entry in variables.read().split(b"\0") if entry]
        user = {name: value for name, value in entries if name}  # those of Wine have names that begin with =
    os.unlink(file)  # noqa: PTH108  see above
    set_by_nsys = {name: value for name, value in os.environb.items() if name.decode() not in given.split(",")}
    preloads = [preload for variables in (set_by_nsys, user) if (preload := variables.get(b"LD_PRELOAD"))]
    environment = user | set_by_nsys | ({b"LD_PRELOAD": b":".join(preloads)} if preloads else {})
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
