"""The page of a comparison of traces."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gapfinder.comparison import words
from gapfinder.comparison.comparison import Comparison, Traced
from gapfinder.gates.gate import line
from gapfinder.report.page import page
from gapfinder.report.palette import theme
from gapfinder.report.part import Part
from gapfinder.report.timeline import timeline
from gapfinder.resources import __version__
from gapfinder.units import clean

SCHEMA = "gapfinder.comparison_page/1"


def page_of(comparison: Comparison, parts: Sequence[Part] = ()) -> str:
    """The page as HTML. Its timeline has these parts, of the first and the last trace."""
    return page(comparison.last.headline, comparison_data(comparison, parts), "comparison.js")


def comparison_data(comparison: Comparison, parts: Sequence[Part] = ()) -> dict[str, Any]:
    """The data of the page, as one JSON object: each trace with its steps, and the comparison of the first with the last trace.

    Times are in ns per step. Sentences are the same as in the text and Markdown formats.
    """
    pair = comparison.last
    labels = words.labels(comparison)
    return {
        "schema": SCHEMA,
        "version": __version__,
        "theme": theme(entry.name for entry in words.ledger(pair)),
        "headline": pair.headline,
        "bottleneck": words.bottleneck(comparison),
        "traces": [
            _trace(label, trace) | {"speedup": words.speedup(against.speedup) if against else ""}
            for label, trace, against in zip(labels, comparison.traces, [None, *comparison.pairs], strict=True)
        ],
        "many": max(trace.devices for trace in comparison.traces) > 1,
        "compared": [labels[0], labels[-1]],
        "ledger": [
            {
                "cause": entry.name,
                "shares": [entry.before_share, entry.after_share],
                "cells": [*words.amounts(entry), entry.change],
            }
            for entry in words.ledger(pair)
        ],
        "prediction": pair.prediction
        and {
            "text": words.prediction(pair.prediction),
            "causes": pair.prediction.causes,
            "predicted_step_ns": pair.prediction.predicted_step_ns,
        },
        "kernels": [[change.name, *words.kernel(change)] for change in pair.kernels],
        "remarks": pair.remarks,
        "timeline": timeline(parts) if parts else None,
        "gates": [{"line": line(gate), "passed": gate.passed} for gate in comparison.gates],
    }


def _trace(label: str, trace: Traced) -> dict[str, Any]:
    return {
        "label": label,
        "name": clean(Path(trace.trace).name),
        "subject": words.subject(trace),
        "step_ns": trace.step.ns if trace.step else None,
        "step": words.step(trace.step),
        "interval": words.step_interval(trace.step),
        "lost_share": trace.lost_share,
        "lengths_ns": trace.lengths_ns,
        "steps": trace.steps or list(range(len(trace.lengths_ns))),
    }
