"""Finds damage: tables, rows and activities that the trace should have and does not have."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapfinder.errors import TraceError
from gapfinder.trace import OpenTrace

# Tables that every export has, whatever its schema. Tables that an export may lack have notes of their own (notes.py).
ALWAYS_PRESENT = (
    "ENUM_CUDA_MEMCPY_OPER",
    "ENUM_CUDA_MEM_KIND",
    "ENUM_CUPTI_SYNC_TYPE",
    "ENUM_NSYS_EVENT_TYPE",
    "PROCESSES",
    "PROFILER_OVERHEAD",
    "TARGET_INFO_GPU",
    "ThreadNames",
)
MIN_RECORDED = 0.5  # share of the activities that must be recorded; with fewer the trace does not represent the run
REMEDY = "copy or export it again"
ORDINALS = (
    "This trace does not say which GPU a process means by its ordinal: processes that use different GPUs may look like one. "
    "Capture with Nsight Systems 2025 or later, or export all tables."
)


@dataclass(frozen=True)
class Damage:
    """The damage of a trace: the rows of `damaged_rows`, those of `missing_activities`, and the number of impossible activities.

    An impossible activity lasts longer than is possible (see the view `impossible_activities`) and is left out.
    """

    damaged_rows: list[dict[str, Any]]
    missing_activities: list[dict[str, Any]]
    impossible_activities: int

    @classmethod
    def of(cls, trace: OpenTrace) -> "Damage":
        """Read the damage of a trace."""
        return cls(
            trace.facts("SELECT * FROM damaged_rows ORDER BY ALL"),
            trace.facts("SELECT * FROM missing_activities ORDER BY kind"),
            int(trace.facts("SELECT count(*) AS activities FROM impossible_activities")[0]["activities"]),
        )

    def notes(self, trace: OpenTrace) -> list[str]:
        """One sentence for each kind of damage."""
        notes = []
        if absent := [table for table in ALWAYS_PRESENT if table not in trace.tables]:
            notes.append(f"This trace lacks {', '.join(absent)}, which every export has: {REMEDY}, with all tables.")
        if "TARGET_INFO_CUDA_DEVICE" not in trace.tables:
            notes.append(ORDINALS)
        if "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION" not in trace.tables and trace.facts("SELECT 1 FROM stream_waits LIMIT 1"):
            notes.append(f"This trace does not say which streams wait for others: {REMEDY}, with all tables.")
        notes += [
            f"{row['rows']:,} of {row['all_rows']:,} rows of {row['table_name']} have no usable {row['column_name']}, "
            f"and are left out. The trace is damaged: {REMEDY}."
            for row in self.damaged_rows
        ]
        notes += [
            f"{row['calls']:,} calls submitted {row['kind']}, and only {row['recorded']:,} of them are recorded: "
            f"the GPU seems idle while the others run. If the capture was complete, {REMEDY}, with all tables."
            for row in self.missing_activities
        ]
        if self.impossible_activities:
            notes.append(
                f"{self.impossible_activities:,} GPU activities last longer than is possible, and are left out. "
                f"The trace is damaged: {REMEDY}."
            )
        return notes

    def check_bound(self, path: Path) -> None:
        """Raise TraceError if the verdict gpu_bound may come from the damage alone.

        Activities with wrong times can hide gaps, and a trace that lost most of its activities does not represent the run.
        """
        if self.impossible_activities:
            raise TraceError(
                f"{path} is damaged: {self.impossible_activities:,} GPU activities last longer than is possible, "
                f"so it is unknown how busy the GPU was: {REMEDY}"
            )
        for row in self.missing_activities:
            if row["recorded"] < MIN_RECORDED * row["calls"]:
                raise TraceError(
                    f"{path} is incomplete: {row['calls']:,} calls submitted {row['kind']}, "
                    f"and only {row['recorded']:,} of them are recorded: {REMEDY}, with all tables"
                )
