"""The colors of the causes on a page, as their files state them."""

from collections.abc import Iterable, Mapping
from typing import Any

from gapfinder.pipeline.causes import CauseSpec, built_in

# Of causes that state no color, in the order of their ids. These and the colors in the files of the causes are chosen so that the
# two causes that look most alike stay apart in both themes (OKLab distance 0.10), also as people with protanopia or deuteranopia
# see them (0.08) and with tritanopia (0.05).
_FALLBACK = (("#00707a", "#2fa7b3"), ("#b0006e", "#e04fa5"), ("#5c6b00", "#9db02f"), ("#a04a3c", "#cf7f70"))


def palette(specs: Mapping[str, CauseSpec] | None = None) -> dict[str, tuple[str, str]]:
    """The color of each cause on light and on dark paper, as #rrggbb, of those that state both; by default the built-in causes."""
    found = built_in() if specs is None else specs
    return {cause: (spec.color, spec.color_dark) for cause, spec in found.items() if spec.color and spec.color_dark}


def theme(causes: Iterable[str], specs: Mapping[str, CauseSpec] | None = None) -> dict[str, Any]:
    """What a page that shows these causes needs to color them: `causes`, of each the `id`, the `color` and the `color_dark`."""
    colors = palette(specs)
    own = sorted(set(causes) - colors.keys() - {"compute"})
    colors |= {cause: _FALLBACK[place % len(_FALLBACK)] for place, cause in enumerate(own)}
    return {"causes": [{"id": cause, "color": light, "color_dark": dark} for cause, (light, dark) in colors.items()]}
