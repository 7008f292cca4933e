"""The type of paths among arguments and options."""

from os import PathLike
from pathlib import Path
from typing import Any

import click

from gapfinder.system.texts import as_path


class NamedPath(click.Path):
    """As click's own, but never empty: for pathlib, an empty path is the current folder."""

    def __init__(self, *, exists: bool = False, file_okay: bool = True, dir_okay: bool = True, readable: bool = True) -> None:
        super().__init__(exists=exists, file_okay=file_okay, dir_okay=dir_okay, readable=readable, path_type=Path)

    def convert(self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        return super().convert(as_path(value), param, ctx)
