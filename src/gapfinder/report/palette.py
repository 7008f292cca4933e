"""The colors of the causes on a page."""

from collections.abc import Iterable
from typing import Any

# Chosen so that the two causes that look most alike stay apart in both themes (OKLab distance 0.10), also as people with
# protanopia or deuteranopia see them (0.08) and with tritanopia (0.05).
_PALETTE = {
    "host_sync": ("#c91400", "#ff5731"),
    "input_pipeline": ("#e17309", "#f38f12"),
    "launch_bound": ("#734dc4", "#7e75f0"),
    "host_compute": ("#dbc713", "#fdde3c"),
    "lock_contention": ("#bc528a", "#d470b7"),
    "storage_io": ("#8e5222", "#be3503"),
    "memory_management": ("#aeae4c", "#a2ce7b"),
    "module_loading": ("#8c0157", "#9d486c"),
    "copy": ("#45b5b2", "#5cc9c4"),
    "communication": ("#6889e3", "#6da5fc"),
    "rank_imbalance": ("#3a2dbc", "#574ddd"),
    "stream_dependency": ("#047d58", "#3c9a71"),
    "queue_latency": ("#4cd1fc", "#a7d6fa"),
    "profiler": ("#633380", "#bd3da7"),
    "unexplained": ("#3a3738", "#eeeaeb"),
}
# of the user's own causes that name no color, in the order of their ids
_FALLBACK = (("#00707a", "#2fa7b3"), ("#b0006e", "#e04fa5"), ("#5c6b00", "#9db02f"), ("#a04a3c", "#cf7f70"))


def palette() -> dict[str, tuple[str, str]]:
    """The color of each cause on light and on dark paper, as #rrggbb."""
    return dict(_PALETTE)


def theme(causes: Iterable[str]) -> dict[str, Any]:
    """What a page that shows these causes needs to color them: `causes`, of each the `id`, the `color` and the `color_dark`."""
    colors = palette()
    own = sorted(set(causes) - colors.keys() - {"compute"})
    colors |= {cause: _FALLBACK[place % len(_FALLBACK)] for place, cause in enumerate(own)}
    return {"causes": [{"id": cause, "color": light, "color_dark": dark} for cause, (light, dark) in colors.items()]}
