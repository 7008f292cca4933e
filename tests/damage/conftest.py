"""The command line as its users meet it, without the half second that a process takes to start."""

import os
import sys

import pytest
from outcome import Done

from gapfinder.cli import main


@pytest.fixture
def gapfinder(monkeypatch, capfd):
    """The command line in this process. It returns what a process would."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gapfinder", *map(str, arguments)])
        monkeypatch.setattr(os, "_exit", sys.exit)
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        return Done(left.value.code, *capfd.readouterr())

    return run
