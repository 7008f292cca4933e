"""The summary that `gapfinder fleet` prints after a run."""

from typing import Any

from gapfinder.diagnosis.cause import GPU_BOUND
from gapfinder.fleet.open import OpenFleet
from gapfinder.units import clean, clean_text, count, duration, percent

LISTED = 3  # causes, jobs, and ranks
DAMAGED = "len(damage) > 0"


def summary(fleet: OpenFleet, *, examined: int, unchanged: int) -> str:
    """How many traces were examined, what the fleet and its jobs lose time to, which ranks stand out, and what is wrong."""
    jobs = fleet.rows("SELECT * FROM jobs")
    traces, bad = sum(job["traces"] for job in jobs), sum(job["bad_traces"] for job in jobs)
    size = f"{count(traces, 'trace')} of {count(len(jobs), 'job')}"
    lines = [f"{fleet.path}: {size}; {examined:,} examined now, {unchanged:,} unchanged"]
    if fleet.damaged:
        lines.append(f"{count(len(fleet.damaged), 'file')} of the fleet cannot be read: {clean(str(fleet.damaged[0]))}")
    if bad:
        lines.append(f"{count(bad, 'trace')} cannot be used: SELECT * FROM bad_traces")
    if damaged := fleet.rows(f"SELECT count(*) AS traces FROM traces WHERE {DAMAGED}")[0]["traces"]:
        lines.append(f"{count(damaged, 'damaged trace')}: SELECT trace, damage FROM traces WHERE {DAMAGED}")
    lines += [
        f"{percent(row['share'])} of the GPU time is lost to {row['cause']}, "
        f"a finding in {count(row['traces_with_finding'], 'trace')}"
        for row in fleet.rows(f"SELECT * FROM fleet_causes WHERE cause <> 'compute' LIMIT {LISTED}")
    ]
    lines += [f"{clean(job['job'])}: {clean_text(job['headline'])}" for job in jobs if job["verdict"] not in (None, GPU_BOUND)][
        :LISTED
    ]
    outliers = fleet.rows(f"SELECT * FROM outlier_ranks WHERE excess_ns > 0 AND cause <> 'compute' LIMIT {LISTED}")
    lines += [f"{describe_outlier(row)}, and the others {duration(row['median_ns'])}" for row in outliers]
    return "\n".join(lines) + "\n"


def describe_outlier(row: dict[str, Any]) -> str:
    """A row of the view `outlier_ranks` as the start of a sentence."""
    rank = clean(row["trace"]) if row["rank"] is None else f"rank {row['rank']}"
    what = "takes" if row["cause"] == "step" else f"loses to {row['cause']}"
    return f"{rank} of {clean(row['job'])} {what} {duration(row['per_step_ns'])} a step"
