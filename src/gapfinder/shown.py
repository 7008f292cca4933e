"""How results show themselves in Python: printed as their command prints them, in a notebook with colours too."""

from importlib import import_module
from typing import ClassVar

from gapfinder.formats import PLAIN_WIDTH


class Shown:
    """A result that has a text renderer, the module `RENDERER`."""

    RENDERER: ClassVar[str]

    def __str__(self) -> str:
        text: str = import_module(self.RENDERER).render(self, width=PLAIN_WIDTH, color=False)
        return text.rstrip("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows: HTML without a script or a request, for light and dark, with every name escaped."""
        html: str = import_module(self.RENDERER).html(self)
        return html
