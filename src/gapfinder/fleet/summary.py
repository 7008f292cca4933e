"""What a run left in the ledger, in a few lines."""

from typing import Any

from gapfinder.fleet.open import FleetLedger
from gapfinder.units import clean, count, duration, percent

SHOWN = 3


def summary(ledger: FleetLedger, *, examined: int, done_before: int) -> str:
    """What was done, what cannot be read, what the fleet loses and to what, and which ranks stand out."""
    jobs = ledger.rows("SELECT * FROM jobs")
    traces, bad = sum(job["traces"] for job in jobs), sum(job["bad_traces"] for job in jobs)
    there = f"{count(traces, 'trace')} of {count(len(jobs), 'job')}"
    lines = [f"{ledger.path}: {there}; {examined:,} examined now, {done_before:,} as before"]
    if bad:
        lines.append(f"{count(bad, 'trace')} cannot be read: SELECT * FROM bad_traces")
    lines += [
        f"{percent(row['share'])} of the GPU time is lost to {row['cause']}, in {count(row['traces_with_finding'], 'trace')}"
        for row in ledger.rows(f"SELECT * FROM fleet_causes WHERE cause <> 'compute' LIMIT {SHOWN}")
    ]
    standing_out = ledger.rows(f"SELECT * FROM outlier_ranks WHERE excess_ns > 0 AND cause <> 'compute' LIMIT {SHOWN}")
    lines += [f"{who_stands_out(row)}, and the others {duration(row['median_ns'])}" for row in standing_out]
    return "\n".join(lines) + "\n"


def who_stands_out(row: dict[str, Any]) -> str:
    """A row of `outlier_ranks` as the start of a sentence."""
    rank = clean(row["trace"]) if row["rank"] is None else f"rank {row['rank']}"
    what = "takes" if row["cause"] == "step" else f"loses to {row['cause']}"
    return f"{rank} of {clean(row['job'])} {what} {duration(row['per_step_ns'])} a step"
