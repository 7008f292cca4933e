"""The colours of the causes on a page. The file of a cause states its colour."""

from collections.abc import Iterable, Mapping
from typing import Any

from gapfinder.pipeline.cause_spec import CauseSpec
from gapfinder.pipeline.causes import built_in

# The colours of causes that state none, in the order of their ids. All colours are chosen so that any two causes differ in both
# themes: the OKLab distance is at least 0.10, with protanopia or deuteranopia 0.08, with tritanopia 0.05.
_FALLBACK = (("#00707a", "#2fa7b3"), ("#b0006e", "#e04fa5"), ("#5c6b00", "#9db02f"), ("#a04a3c", "#cf7f70"))


def palette(specs: Mapping[str, CauseSpec] | None = None) -> dict[str, tuple[str, str]]:
    """The colours (#rrggbb) of each cause that states them, for the light and the dark theme; by default the built-in causes."""
    known = built_in() if specs is None else specs
    return {cause: (spec.color, spec.color_dark) for cause, spec in known.items() if spec.color and spec.color_dark}


def theme(causes: Iterable[str], specs: Mapping[str, CauseSpec] | None = None) -> dict[str, Any]:
    """The colours for a page with these causes: `causes` is a list of objects with `id`, `color` and `color_dark`."""
    colors = palette(specs)
    own = sorted(set(causes) - colors.keys() - {"compute"})
    colors |= {cause: _FALLBACK[index % len(_FALLBACK)] for index, cause in enumerate(own)}
    return {"causes": [{"id": cause, "color": light, "color_dark": dark} for cause, (light, dark) in colors.items()]}
