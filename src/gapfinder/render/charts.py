"""The charts of Altair that results draw in a notebook, one function for each kind of result."""

from pathlib import Path

import altair as alt
import polars as pl

from gapfinder.comparison.comparison import Comparison
from gapfinder.diagnosis.diagnosis import Diagnosis
from gapfinder.diagnosis.job import Job
from gapfinder.job.words import per_step
from gapfinder.report.palette import theme
from gapfinder.units import clean
from gapfinder.whatif.whatif import WhatIf

COMPUTE_COLOR = "#9a9a9a"
MS = 1e6  # ns


def diagnosis(result: Diagnosis) -> alt.Chart:
    """The ledger of each GPU, as times of a step."""
    step_ms = result.window.step_ns / MS
    frame = result.ledger.with_columns(row=pl.format("GPU {}", "gpu"), ms=pl.col("share") * step_ms)
    return _ledgers(frame, f"ms {result.window.per_unit}", result.headline)


def job(result: Job) -> alt.Chart:
    """The ledger of each rank, as times of a step."""
    rows = [
        (f"rank {rank.rank}", cause, ns / rank.window_ns, ns / rank.window_ns * result.step_ns / MS)
        for rank in result.ranks
        for cause, ns in [("compute", rank.compute_ns), *rank.causes.items()]
    ]
    return _ledgers(_frame(rows), f"ms {per_step(result)}", result.headline)


def comparison(result: Comparison) -> alt.Chart:
    """The ledgers of the first and the last trace: times of a step, or shares where a trace has no steps."""
    pair = result.last
    lines = [pair.compute, *pair.causes]
    in_ms = all(line.before_ns is not None and line.after_ns is not None for line in lines)
    rows = [
        (f"{which} ({clean(Path(path).name)})", line.name, share, (ns or 0.0) / MS if in_ms else 100 * share)
        for which, path, sides in (
            ("before", pair.before, [(line, line.before_share, line.before_ns) for line in lines]),
            ("after", pair.after, [(line, line.after_share, line.after_ns) for line in lines]),
        )
        for line, share, ns in sides
    ]
    return _ledgers(_frame(rows), "ms per step" if in_ms else "% of the window", pair.headline)


def whatif(result: WhatIf) -> alt.Chart:
    """The measured step, and the one predicted with each change."""
    rows = [("as measured", result.step_ns / MS)]
    rows += [(clean(one.change), one.predicted_step_ns / MS) for one in result.changes if one.predicted_step_ns is not None]
    if len(result.changes) > 1 and result.together_step_ns is not None:
        rows.append(("all together", result.together_step_ns / MS))
    frame = pl.DataFrame(rows, schema={"row": pl.String, "ms": pl.Float64}, orient="row")
    bars = frame.plot.bar(
        x=alt.X("ms", title="ms" if result.unit == "window" else f"ms per {result.unit}"),
        y=alt.Y("row", title=None, sort=None),
        tooltip=["row", "ms"],
    )
    return bars.properties(width=500)


def _frame(rows: list[tuple[str, str, float, float]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"row": pl.String, "cause": pl.String, "share": pl.Float64, "ms": pl.Float64}, orient="row")


def _ledgers(frame: pl.DataFrame, unit: str, title: str) -> alt.Chart:
    """A bar for each `row`, of its compute and its causes in their colours."""
    causes = frame.group_by("cause").agg(pl.sum("ms")).sort("ms", "cause", descending=[True, False])["cause"].to_list()
    causes.sort(key=lambda cause: cause != "compute")
    colors = {entry["id"]: entry["color"] for entry in theme(causes)["causes"]} | {"compute": COMPUTE_COLOR}
    place = pl.DataFrame({"cause": causes, "place": range(len(causes))})
    bars = frame.join(place, on="cause").plot.bar(
        x=alt.X("ms", title=unit),
        y=alt.Y("row", title=None, sort=None),
        color=alt.Color("cause", title=None, scale=alt.Scale(domain=causes, range=[colors[cause] for cause in causes])),
        order="place",
        tooltip=["row", "cause", alt.Tooltip("ms", title=unit, format=".4g"), alt.Tooltip("share", format=".1%")],
    )
    return bars.properties(width=500, title=alt.Title(title, limit=700, anchor="start"))
