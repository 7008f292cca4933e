"""What a run left in the ledger, in a few lines."""

from gapfinder.diagnosis.units import clean, count, duration, percent
from gapfinder.fleet.open import FleetLedger

SHOWN = 3


def summary(ledger: FleetLedger, *, examined: int, done_before: int) -> str:
    """What was done, what cannot be read, what the fleet loses and to what, and which ranks stand out."""
    jobs = ledger.rows("SELECT * FROM jobs")
    traces, bad = sum(job["traces"] for job in jobs), sum(job["bad_traces"] for job in jobs)
    lines = [
        f"{ledger.path}: {count(traces, 'trace')} of {count(len(jobs), 'job')}; "
        f"{examined:,} examined now, {done_before:,} as before"
    ]
    if bad:
        lines.append(f"{count(bad, 'trace')} cannot be read: SELECT * FROM bad_traces")
    for row in ledger.rows(f"SELECT * FROM fleet_causes WHERE cause <> 'compute' LIMIT {SHOWN}"):
        lines.append(f"{percent(row['share'])} of the GPU time is lost to {row['cause']}, in {count(row['traces_worth'], 'trace')}")
    for row in ledger.rows(f"SELECT * FROM outlier_ranks WHERE excess_ns > 0 AND cause <> 'compute' LIMIT {SHOWN}"):
        who = clean(row["trace"]) if row["rank"] is None else f"rank {row['rank']} of {clean(row['job'])}"
        what = "takes a step" if row["cause"] == "step" else f"loses a step's {duration(row['per_step_ns'])} to {row['cause']}"
        lines.append(f"{who} {what}")
    return "\n".join(lines) + "\n"
