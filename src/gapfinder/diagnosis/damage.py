"""What a trace lacks that its export had, or that its own calls say it should have."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapfinder.errors import TraceError
from gapfinder.trace import OpenTrace as Trace

# Tables that all exports have, whatever their schema; those without which a diagnosis says less have notes of their own.
ALWAYS_THERE = (
    "ENUM_CUDA_MEMCPY_OPER",
    "ENUM_CUDA_MEM_KIND",
    "ENUM_CUPTI_SYNC_TYPE",
    "ENUM_NSYS_EVENT_TYPE",
    "PROCESSES",
    "PROFILER_OVERHEAD",
    "TARGET_INFO_GPU",
    "ThreadNames",
)
MOST = 0.5  # of the activities, without which a trace says nothing of the whole
AGAIN = "copy or export it again"
ORDINALS = (
    "This trace does not say which GPU a process means by its ordinal: processes that use different GPUs may look like one. "
    "Capture with Nsight Systems 2025 or later, or export all tables."
)


@dataclass(frozen=True)
class Damage:
    """Rows of `damaged_rows` and of `missing_activities`, and how many activities are left out since they last longer than they can have."""

    rows: list[dict[str, Any]]
    lost: list[dict[str, Any]]
    overrunning: int

    @classmethod
    def of(cls, trace: Trace) -> "Damage":
        """What a trace lost."""
        return cls(
            trace.facts("SELECT * FROM damaged_rows ORDER BY ALL"),
            trace.facts("SELECT * FROM missing_activities ORDER BY kind"),
            int(trace.facts("SELECT count(*) AS activities FROM impossible_activities")[0]["activities"]),
        )

    def notes(self, trace: Trace) -> list[str]:
        """One sentence for each kind of thing that was lost between the capture and here."""
        found = []
        if absent := [table for table in ALWAYS_THERE if table not in trace.tables]:
            found.append(f"This trace lacks {', '.join(absent)}, which every export has: {AGAIN}, with all tables.")
        if "TARGET_INFO_CUDA_DEVICE" not in trace.tables:
            found.append(ORDINALS)
        if "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION" not in trace.tables and trace.facts("SELECT 1 FROM stream_waits LIMIT 1"):
            found.append(f"This trace does not say which streams wait for others: {AGAIN}, with all tables.")
        found += [
            f"{row['rows']:,} of {row['all_rows']:,} rows of {row['table_name']} have no usable {row['column_name']}, "
            f"and what they say is lost. The trace is damaged: {AGAIN}."
            for row in self.rows
        ]
        found += [
            f"{row['calls']:,} calls submitted {row['kind']}, and {row['recorded']:,} of them are here: "
            f"in the others the GPU seems idle. If the capture was whole, {AGAIN}, with all tables."
            for row in self.lost
        ]
        if self.overrunning:
            found.append(
                f"{self.overrunning:,} GPU activities last longer than they can have, and are left out. The trace is damaged: {AGAIN}."
            )
        return found

    def check_bound(self, path: Path) -> None:
        """Raise TraceError where the GPU may seem to be the bound only because of damage.

        Activities of damaged times cover gaps, and some may not have been found; of a trace that lost most of its activities little is left.
        """
        if self.overrunning:
            raise TraceError(
                f"{path} is damaged: {self.overrunning:,} GPU activities last longer than they can have, and whether it was busy in the "
                f"rest cannot be told: {AGAIN}"
            )
        for row in self.lost:
            if row["recorded"] < MOST * row["calls"]:
                raise TraceError(
                    f"{path} is incomplete: {row['calls']:,} calls submitted {row['kind']}, "
                    f"and {row['recorded']:,} of them are here: {AGAIN}, with all tables"
                )
