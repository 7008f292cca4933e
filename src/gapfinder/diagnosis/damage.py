"""Finds damage: tables, rows and activities that the trace should have and does not have."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapfinder.errors import TraceError
from gapfinder.ingest.nsys.load import CALLS, TEXT_CHARS
from gapfinder.pipeline.cause_spec import UNEXPLAINED
from gapfinder.trace import OpenTrace
from gapfinder.units import clean, count, duration, percent

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
MESSAGES = (
    "This trace does not hold the messages of nsys (DIAGNOSTIC_EVENT): whether it lost events is unknown. Capture with "
    "Nsight Systems 2024 or later, or export all tables."
)
MEMSETS = "memsets"  # missing ones are no damage: they cover little, and sound traces lack some
MIN_RECORDED = 0.5  # share of the activities that must be recorded; with fewer the trace does not represent the run
MOST_UNEXPLAINED = 0.025  # share of the window, in 330 sound traces: where waking is slow
TOO_MUCH_UNEXPLAINED = 2 * MOST_UNEXPLAINED
DECIDED = 10  # times as much is lost to one cause as in gaps that nothing explains: the verdict does not hang on these
Row = dict[str, Any]
REMEDY = "copy or export it again"
ORDINALS = (
    "This trace does not say which GPU a process means by its ordinal: processes that use different GPUs may look like one. "
    "Capture with Nsight Systems 2025 or later, or export all tables."
)


@dataclass(frozen=True)
class Damage:
    """The damage of a trace, as sentences.

    `sentences` are about rows that are lost or wrong. `hides_gaps` says why the GPU may seem busy only because of the damage, and
    is None where it cannot. `limits` says what the trace cannot tell for other reasons. `doubt` says why no verdict is certain,
    where all of the trace is in doubt.
    """

    sentences: list[str]
    hides_gaps: str | None
    limits: list[str]
    doubt: str | None

    @classmethod
    def of(cls, trace: OpenTrace) -> "Damage":
        """Read the damage of a trace."""
        missing = trace.id_rows("SELECT * FROM missing_activities ORDER BY kind")
        memsets, others = [row for row in missing if row["kind"] == MEMSETS], [row for row in missing if row["kind"] != MEMSETS]
        impossible = _impossible(trace)
        contradictions = trace.id_rows("SELECT * FROM contradictions ORDER BY kind")
        errors = trace.id_rows("SELECT times FROM import_errors")[0]["times"]
        stopped = trace.id_rows("SELECT inferred_ns FROM lone_loss")
        sentences = (
            _lost(trace, errors)
            + [_missing(row) for row in others]
            + _unrecorded(trace)
            + _uncalled(trace)
            + _contradicted(trace, impossible, contradictions)
            + _lone(trace, stopped)
        )
        mostly = [row for row in others if row["recorded"] < MIN_RECORDED * row["calls"]]
        hides_gaps = _hides_gaps(impossible, mostly, contradictions)
        limits = _limits(trace) + [_missing(row) for row in memsets]
        doubt = "nsys lost events" if errors else "most of what is lost is one gap whose cause is inferred" if stopped else None
        return cls(sentences, hides_gaps, limits, doubt)

    @property
    def notes(self) -> list[str]:
        """One sentence for each kind of damage, and for what else the trace lacks."""
        return self.limits + self.sentences

    def check_bound(self, path: Path) -> None:
        """Raise TraceError if the verdict gpu_bound may come from the damage alone."""
        if self.hides_gaps:
            raise TraceError(f"{path} is damaged: {self.hides_gaps}")


def _limits(trace: OpenTrace) -> list[str]:
    """What exports of some versions lack."""
    needed = {"TARGET_INFO_CUDA_DEVICE": ORDINALS, "DIAGNOSTIC_EVENT": MESSAGES}
    notes = [note for table, note in needed.items() if table not in trace.tables]
    notes += [
        f"Texts of {row['table_name']} are cut after {TEXT_CHARS:,} characters: {row['rows']:,} of them."
        for row in trace.id_rows("SELECT * FROM cut_texts ORDER BY table_name")
    ]
    return notes


def _lost(trace: OpenTrace, errors: int) -> list[str]:
    """Tables, columns and rows that are gone."""
    notes = []
    if absent := [table for table in ALWAYS_PRESENT if table not in trace.tables]:
        notes.append(f"This trace lacks {', '.join(absent)}, which every export has: {REMEDY}, with all tables.")
    if "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION" not in trace.tables and trace.id_rows("SELECT 1 FROM stream_waits LIMIT 1"):
        notes.append(f"This trace does not say which streams wait for others: {REMEDY}, with all tables.")
    notes += [
        f"Rows of {row['table_name']} without a usable {row['column_name']} are left out: {_of(row)}. "
        f"The trace is damaged: {REMEDY}."
        for row in trace.id_rows("SELECT * FROM damaged_rows ORDER BY ALL")
    ]
    notes += [
        f"Rows of {row['table_name']} are gone: {_of(row)}. The trace is damaged: {REMEDY}."
        for row in trace.id_rows("SELECT * FROM missing_rows ORDER BY ALL")
    ]
    notes += [
        f"Rows of {row['table_name']} are of kinds that {row['kinds']} does not list: {_of(row)}. "
        f"The trace is damaged: {REMEDY}, with all tables."
        for row in trace.id_rows("SELECT * FROM unlisted_kinds ORDER BY ALL")
    ]
    notes += [
        f"{row['table_name']} lists kinds by other numbers than theirs ({count(row['kinds'], 'kind')}, such as "
        f"{row['id']} for {clean(row['kind'])}). The trace is damaged: {REMEDY}."
        for row in trace.id_rows(
            "SELECT table_name, count(*) AS kinds, min(id) AS id, coalesce(arg_min(kind, id), '') AS kind FROM misnamed_kinds "
            "GROUP BY table_name ORDER BY table_name"
        )
    ]
    if errors:
        notes.append(
            f"nsys could not read all of what it recorded ({count(errors, 'error')} when it made the report): events are "
            "missing, and steps, phases and times may be wrong. Capture again, for a shorter time or with a newer nsys."
        )
    return notes


def _uncalled(trace: OpenTrace) -> list[str]:
    """Activities whose launching calls are gone."""
    return [
        f"The calls that launched {_of(row)} GPU activities of process {row['pid']} are gone: why the GPU waited for these is "
        f"unknown. The trace is damaged: {REMEDY}."
        for row in trace.id_rows("SELECT * FROM uncalled_activities ORDER BY pid")
        if CALLS in trace.tables
    ]


def _contradicted(trace: OpenTrace, impossible: str | None, contradictions: list[Row]) -> list[str]:
    """Rows that contradict other rows; `impossible` is the sentence on activities."""
    notes = []
    if impossible:
        notes.append(f"The trace is damaged: {impossible}, and do not count: {REMEDY}.")
    notes += [
        f"Correlation ids that should be unique are shared: {row['kind']} ({row['rows']:,}). The trace is damaged: {REMEDY}."
        for row in trace.id_rows("SELECT * FROM shared_ids ORDER BY kind")
    ]
    notes += [
        f"Impossible times: {row['kind']}, {_of(row)}. The trace is damaged: {REMEDY}."
        for row in trace.id_rows("SELECT * FROM impossible_order ORDER BY kind")
    ]
    notes += [
        f"Rows that contradict others: {row['kind']}, {_of(row)}. The trace is damaged: {REMEDY}." for row in contradictions
    ]
    return notes + [
        f"Impossible times: {row['kind']} that overlap others of their thread ({row['rows']:,}). The trace is damaged: {REMEDY}."
        for row in trace.id_rows("SELECT * FROM impossible_calls ORDER BY kind")
    ]


def _lone(trace: OpenTrace, stopped: list[Row]) -> list[str]:
    """Notes if the verdict depends on rows that no other confirms, or on time that none explains; `stopped` is `lone_loss`."""
    unlikely = f"If the program does not do that, the trace is damaged: {REMEDY}."
    notes = [
        f"The verdict rests on few rows: only {count(row['activities'], 'activity')} on GPU {row['gpu']}. {unlikely}"
        for row in trace.id_rows("SELECT * FROM lone_gpus ORDER BY gpu")
    ]
    gaps = trace.id_rows("SELECT count(*) AS gaps, sum(unexplained_ns) AS ns FROM lone_gaps")[0]
    found = {row["cause"]: row for row in trace.id_rows("SELECT cause, share, lost_ns FROM cause_totals")}
    share = found.pop(UNEXPLAINED)["share"] if UNEXPLAINED in found else 0
    if gaps["gaps"] and max((row["lost_ns"] for row in found.values()), default=0) < DECIDED * gaps["ns"]:
        which = f"{count(gaps['gaps'], 'gap')} of {duration(gaps['ns'])}"
        notes.append(f"The verdict rests on {which} that nothing explains. Rows may be missing or wrong: {REMEDY}.")
    elif share >= TOO_MUCH_UNEXPLAINED and CALLS in trace.tables:
        notes.append(
            f"Nothing explains {percent(share)} of the window; in sound traces that is at most {percent(MOST_UNEXPLAINED)}. "
            f"Rows may be missing or wrong: {REMEDY}."
        )
    notes += [
        f"One gap of {duration(row['inferred_ns'])} makes up most of what is lost, and no other row tells why, as where "
        f"a program is stopped or a clock jumps. If the program was not stopped, the trace is damaged: {REMEDY}."
        for row in stopped
    ]
    long = trace.id_rows("SELECT count(*) AS activities, sum(length_ns) AS ns FROM lone_activities")[0]
    if long["activities"]:
        which = f"{count(long['activities'], 'GPU activity')} of {duration(long['ns'])}"
        notes.append(f"The verdict rests on {which}, and no other row of the trace confirms that length. {unlikely}")
    return notes


def _impossible(trace: OpenTrace) -> str | None:
    """The activities that are left out, in words."""
    left_out = int(trace.id_rows("SELECT count(*) AS activities FROM impossible_activities")[0]["activities"])
    return f"the times of {count(left_out, 'GPU activity')} contradict other rows" if left_out else None


def _hides_gaps(impossible: str | None, missing: list[Row], contradictions: list[Row]) -> str | None:
    """Why the GPU may seem busy without being so.

    Wrong times cover gaps, few activities do not represent the run, without its turns another program interrupts none, and of two
    GPUs that are taken for one either may be idle.
    """
    if impossible:
        return f"{impossible}, so it is unknown how busy the GPU was: {REMEDY}"
    if row := next((row for row in contradictions if row["unknown"]), None):
        return f"{row['kind']}, {_of(row)}, so it is unknown {row['unknown']}: {REMEDY}"
    return f"{_recorded(missing[0])}: {REMEDY}, with all tables" if missing else None


def _recorded(row: Row) -> str:
    recorded = f"only {row['recorded']:,} of these are" if row["recorded"] else "none of these is"
    return f"{count(row['calls'], 'call')} submitted {row['kind']}, and {recorded} recorded"


def _missing(row: Row) -> str:
    if row["kind"] == MEMSETS:
        return f"{_recorded(row)}: memsets of no bytes and those in a CUDA graph have none, and the others take little time."
    return f"{_recorded(row)}: the GPU seems idle while the others run. If the capture was complete, {REMEDY}, with all tables."


def _unrecorded(trace: OpenTrace) -> list[str]:
    """The processes that nsys recorded without their activities."""
    rows = trace.id_rows("SELECT * FROM unrecorded_processes ORDER BY pid")
    if not rows:
        return []
    which = f"process {rows[0]['pid']}" if len(rows) == 1 else count(len(rows), "process")
    lost = f"Nothing that {which} launched on a GPU is recorded, although its calls are"
    return [f"{lost}. Record again, and let the program end by itself, or use another version of nsys."]


def _of(row: Row) -> str:
    return f"{row['rows']:,} of {row['all_rows']:,}"
