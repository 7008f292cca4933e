"""Changes environment variables for the processes that gapfinder starts."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

# Python's `-m` and `-c` look for modules in the working folder first: a stranger's `tokenize.py` among the traces would be run.
OWN_MODULES = {"PYTHONSAFEPATH": "1"}


@contextmanager
def changed(variables: dict[str, str]) -> Iterator[None]:
    """Set variables of the environment; afterwards they are as before."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
