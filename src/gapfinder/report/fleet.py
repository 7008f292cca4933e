"""The page of a fleet."""

import sys
from array import array
from base64 import b64encode
from collections import defaultdict
from math import sqrt
from typing import Any

from gapfinder.fleet.open import COMPARED_RANKS, OpenFleet
from gapfinder.fleet.summary import DAMAGED, describe_outlier
from gapfinder.report.page import page
from gapfinder.report.palette import theme
from gapfinder.resources import __version__
from gapfinder.units import clean, clean_text, count, duration, percent

SCHEMA = "gapfinder.fleet_page/1"
MAX_ROWS = 200  # of a table
MIN_SHARE = 0.00005  # a smaller share is not shown
NO_STEP, MAX_CELL = 65535, 65000  # values of a cell, which has two bytes


def page_of(fleet: OpenFleet) -> str:
    """The page as HTML."""
    data = fleet_data(fleet)
    return page(f"{data['name']}: {data['headline']}", data, "fleet.js")


def fleet_data(fleet: OpenFleet) -> dict[str, Any]:
    """The data of the page: the causes of the whole fleet and of each day, the jobs, their ranks and steps, and the outliers.

    Times are in ns, shares are 0 to 1. `drawn` are the jobs with a heat map. Their `cells` are numbers of two bytes in base64,
    row by row: 65,000 times the square root of (lost time of a step / `top_ns`), so that small values differ visibly beside
    large ones; 65,535 means that there is no step.
    """
    jobs = fleet.rows("SELECT * FROM jobs")
    causes = fleet.rows("SELECT * FROM fleet_causes")
    outliers = fleet.rows(f"SELECT * FROM outlier_ranks LIMIT {MAX_ROWS}")
    bad = fleet.rows(f"SELECT * FROM bad_traces LIMIT {MAX_ROWS}")
    damaged = fleet.rows(f"SELECT trace, job, damage FROM traces WHERE {DAMAGED} ORDER BY ALL LIMIT {MAX_ROWS}")
    return {
        "schema": SCHEMA,
        "version": __version__,
        "theme": theme(row["cause"] for row in causes),
        "name": clean(fleet.path.resolve().name),
        "headline": headline(jobs, causes),
        "standing_out": standing_out(outliers, max((job["traces"] - job["bad_traces"] for job in jobs), default=0)),
        "traces": sum(job["traces"] for job in jobs),
        "bad_traces": sum(job["bad_traces"] for job in jobs),
        "causes": [row | {"worst_job": clean(row["worst_job"])} for row in causes],
        "jobs_in_all": len(jobs),
        "jobs": [
            row
            | {
                "job": clean(row["job"]),
                "headline": row["headline"] and clean_text(row["headline"]),
            }
            | {"first_day": _day(row["first_day"]), "last_day": _day(row["last_day"])}
            for row in jobs[:MAX_ROWS]
        ],
        "drawn": _heat_maps(fleet),
        "outliers": [_clean(row) for row in outliers],
        "days": _days(fleet),
        "damaged": [_clean(row) | {"error": clean_text(" ".join(row.pop("damage")))} for row in damaged],
        "bad": [_clean(row) | {"error": clean_text(row["error"])} for row in bad],
    }


def headline(jobs: list[dict[str, Any]], causes: list[dict[str, Any]]) -> str:
    """How much the fleet loses, and the largest cause, in one sentence."""
    good = sum(job["traces"] - job["bad_traces"] for job in jobs)
    lost = [row for row in causes if row["cause"] != "compute"]
    what = f"the GPU time of {count(good, 'trace')} of {count(len(jobs), 'job')}"
    if not lost:
        return f"Nothing of {what} is lost."
    share = sum(row["share"] for row in lost)
    return f"{percent(share)} of {what} is lost, the largest part to {lost[0]['cause']} ({percent(lost[0]['share'])})."


def standing_out(outliers: list[dict[str, Any]], most_ranks: int) -> str:
    """The rank that differs most from the other ranks of its job, in one sentence.

    The largest job has `most_ranks` that can be compared, each in a trace of its own.
    """
    if most_ranks < COMPARED_RANKS:
        return f"No job has the {COMPARED_RANKS} ranks that it takes to see which one differs from the others."
    slower = [row for row in outliers if row["excess_ns"] > 0 and row["cause"] != "compute"]
    if not slower:
        return "No rank stands out among those of its job."
    ranks = len({row["trace_id"] for row in outliers})
    others = f" {count(ranks, 'rank')} stand out in all." if ranks > 1 else ""
    outlier = describe_outlier(slower[0])
    return f"{outlier[0].upper()}{outlier[1:]}, and the others {duration(slower[0]['median_ns'])}.{others}"


def _heat_maps(fleet: OpenFleet) -> list[dict[str, Any]]:
    jobs = fleet.rows("SELECT * FROM page_jobs")
    maps = {row["job"]: row | {"top_ns": 0, "labels": [], "step_ns": [], "shares": []} for row in jobs}
    for row in fleet.rows("SELECT * FROM page_rows"):
        job = maps[row["job"]]
        job["labels"].append(_label(row))
        job["step_ns"].append(round(row["step_ns"]))
        job["shares"].append({cause: round(share, 4) for cause, share in row["shares"].items() if share >= MIN_SHARE})
    cells = {job: array("H", [NO_STEP]) * (row["rows"] * row["columns"]) for job, row in maps.items()}
    for row in fleet.rows("SELECT * FROM page_cells"):
        job = maps[row["job"]]
        job["top_ns"] = row["top_ns"]
        share = row["lost_ns"] / row["top_ns"] if row["top_ns"] else 0
        cells[row["job"]][row["row"] * job["columns"] + row["column"]] = round(MAX_CELL * sqrt(share))
    for job, row in maps.items():
        row |= {"job": clean(job), "cells": b64encode(_little_endian(cells[job])).decode()}
    return list(maps.values())


def _little_endian(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _label(row: dict[str, Any]) -> str:
    if row["first_rank"] is None:
        return clean(row["trace"].rpartition("/")[2])
    ranks = row["first_rank"], row["last_rank"]
    return f"rank {ranks[0]}" if ranks[0] == ranks[1] else f"ranks {ranks[0]} to {ranks[1]}"


def _days(fleet: OpenFleet) -> list[dict[str, Any]]:
    days: dict[str, dict[str, Any]] = defaultdict(lambda: {"shares": {}})
    for row in fleet.rows("SELECT * FROM day_causes"):
        day = days[_day(row["day"]) or "unknown"]
        day["traces"] = row["traces"]
        day["shares"][row["cause"]] = row["share"]
    return [{"day": day, **row} for day, row in days.items()]


def _clean(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"job": clean(row["job"]), "trace": clean(row["trace"])}


def _day(day: Any) -> str | None:
    return None if day is None else day.isoformat()
