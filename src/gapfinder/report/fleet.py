"""The page of a fleet."""

import sys
from array import array
from base64 import b64encode
from collections import defaultdict
from math import sqrt
from typing import Any

from gapfinder.fleet.open import FleetLedger
from gapfinder.fleet.summary import describe_outlier
from gapfinder.report.page import page
from gapfinder.report.palette import theme
from gapfinder.resources import __version__
from gapfinder.units import clean, clean_text, count, duration, percent

SCHEMA = "gapfinder.fleet_page/1"
LISTED = 200  # rows of a table, at most
LEAST = 0.00005  # a share that is shown
NO_STEP, TOP = 65535, 65000  # a cell in two bytes


def page_of(ledger: FleetLedger) -> str:
    """The whole page."""
    data = fleet_data(ledger)
    return page(f"{data['name']}: {data['headline']}", data, "fleet.js")


def fleet_data(ledger: FleetLedger) -> dict[str, Any]:
    """All that the page shows: the causes of the whole fleet and of each day, its jobs, their ranks and steps, and the outliers.

    Times in ns, shares 0 to 1. `cells` of a drawn job are numbers of two bytes in base64, row by row: 65,000 times the root of
    what a step lost as a share of `top_ns`, so that small ones are told apart beside large ones; 65,535 where there is no step.
    """
    jobs = ledger.rows("SELECT * FROM jobs")
    causes = ledger.rows("SELECT * FROM fleet_causes")
    outliers = ledger.rows(f"SELECT * FROM outlier_ranks LIMIT {LISTED}")
    bad = ledger.rows(f"SELECT * FROM bad_traces LIMIT {LISTED}")
    return {
        "schema": SCHEMA,
        "version": __version__,
        "theme": theme(row["cause"] for row in causes),
        "name": clean(ledger.path.resolve().name),
        "headline": headline(jobs, causes),
        "standing_out": standing_out(outliers),
        "traces": sum(job["traces"] for job in jobs),
        "bad_traces": sum(job["bad_traces"] for job in jobs),
        "causes": [row | {"worst_job": clean(row["worst_job"])} for row in causes],
        "jobs_in_all": len(jobs),
        "jobs": [
            row | {"job": clean(row["job"]), "first_day": _day(row["first_day"]), "last_day": _day(row["last_day"])}
            for row in jobs[:LISTED]
        ],
        "drawn": _drawn(ledger),
        "outliers": [_named(row) for row in outliers],
        "days": _days(ledger),
        "bad": [_named(row) | {"error": clean_text(row["error"])} for row in bad],
    }


def headline(jobs: list[dict[str, Any]], causes: list[dict[str, Any]]) -> str:
    """What the fleet loses, and most of it to what, in one sentence."""
    good = sum(job["traces"] - job["bad_traces"] for job in jobs)
    lost = [row for row in causes if row["cause"] != "compute"]
    of = f"the GPU time of {count(good, 'trace')} of {count(len(jobs), 'job')}"
    if not lost:
        return f"Nothing of {of} is lost."
    share = sum(row["share"] for row in lost)
    return f"{percent(share)} of {of} is lost, most of it to {lost[0]['cause']} ({percent(lost[0]['share'])})."


def standing_out(outliers: list[dict[str, Any]]) -> str:
    """The rank that is farthest off the others of its job, in one sentence."""
    slower = [row for row in outliers if row["excess_ns"] > 0 and row["cause"] != "compute"]
    if not slower:
        return "No rank stands out among those of its job."
    ranks = len({one["trace_id"] for one in outliers})
    others = f" {count(ranks, 'rank')} stand out in all." if ranks > 1 else ""
    who = describe_outlier(slower[0])
    return f"{who[0].upper()}{who[1:]}, and the others {duration(slower[0]['median_ns'])}.{others}"


def _drawn(ledger: FleetLedger) -> list[dict[str, Any]]:
    jobs = ledger.rows("SELECT * FROM page_jobs")
    found = {row["job"]: row | {"top_ns": 0, "labels": [], "step_ns": [], "shares": []} for row in jobs}
    for row in ledger.rows("SELECT * FROM page_rows"):
        job = found[row["job"]]
        job["labels"].append(_label(row))
        job["step_ns"].append(round(row["step_ns"]))
        job["shares"].append({cause: round(share, 4) for cause, share in row["shares"].items() if share >= LEAST})
    cells = {job: array("H", [NO_STEP]) * (row["rows"] * row["columns"]) for job, row in found.items()}
    for row in ledger.rows("SELECT * FROM page_cells"):
        job = found[row["job"]]
        job["top_ns"] = row["top_ns"]
        share = row["lost_ns"] / row["top_ns"] if row["top_ns"] else 0
        cells[row["job"]][row["row"] * job["columns"] + row["column"]] = round(TOP * sqrt(share))
    for job, row in found.items():
        row |= {"job": clean(job), "cells": b64encode(_little_endian(cells[job])).decode()}
    return list(found.values())


def _little_endian(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _label(row: dict[str, Any]) -> str:
    if row["first_rank"] is None:
        return clean(row["trace"].rpartition("/")[2])
    ranks = row["first_rank"], row["last_rank"]
    return f"rank {ranks[0]}" if ranks[0] == ranks[1] else f"ranks {ranks[0]} to {ranks[1]}"


def _days(ledger: FleetLedger) -> list[dict[str, Any]]:
    days: dict[str, dict[str, Any]] = defaultdict(lambda: {"shares": {}})
    for row in ledger.rows("SELECT * FROM day_causes"):
        day = days[_day(row["day"]) or "unknown"]
        day["traces"] = row["traces"]
        day["shares"][row["cause"]] = row["share"]
    return [{"day": day, **found} for day, found in days.items()]


def _named(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"job": clean(row["job"]), "trace": clean(row["trace"])}


def _day(day: Any) -> str | None:
    return None if day is None else day.isoformat()
