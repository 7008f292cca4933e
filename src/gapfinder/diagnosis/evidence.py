"""The evidence for each cause, from the views `evidence_*` and `source_lines`, and for that of one rank, from `rank_*`."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gapfinder.diagnosis.cause import Evidence
from gapfinder.diagnosis.window import DiagnosedWindow
from gapfinder.trace import OpenTrace
from gapfinder.units import amount, clean, clean_path, count, duration, percent, shortened, size, timestamp

INPUT_PIPELINE, PAGE_MIGRATION = "input_pipeline", "page_migration"
FAULT_TABLES = {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CUDA_UM_GPU_PAGE_FAULT_EVENTS"}
MIN_MENTIONED_SHARE = 0.05  # of the lost time of a cause
MIN_SAMPLED_SHARE = 0.1  # of the CPU samples in it
MAX_FRAME = 90  # characters
MAX_FUNCTION = 60  # characters: C++ names with their templates fill a page


def evidence(trace: OpenTrace, window: DiagnosedWindow) -> dict[str, list[Evidence]]:
    """Evidence by cause: source lines, libraries, how it is known, calls, files, copies, page faults, NVTX paths, and so on.

    Means are those of a GPU, as the lost time of a cause is; samples are counted over all.
    """
    means = _Means(window, len(trace.id_rows("SELECT gpu FROM devices")))
    code = (_lines, _functions, _producers, _libraries)
    gathers = (*code, _basis, _calls, _files, _copies, _faults, _ranges, _ranks, _steps, _intervals)
    return _by_cause(fact for gather in gathers for fact in gather(trace, means))


def evidence_of_gpu(trace: OpenTrace, window: DiagnosedWindow, gpu: int) -> dict[str, list[Evidence]]:
    """Evidence by cause of what one GPU loses. It must be that of a rank."""
    means = _Means(window, gpus=1)
    of_gpu = f"WHERE gpu = {gpu}"
    facts = [
        *_lines(trace, means, f"SELECT * FROM rank_lines {of_gpu}"),
        *_basis(
            trace,
            means,
            f"SELECT cause, named_ns / lost_ns AS named_share, inferred_ns / lost_ns AS inferred_share FROM ledger {of_gpu}",
        ),
        *_calls(trace, means, f"SELECT * FROM rank_calls {of_gpu}"),
        *_ranges(trace, means, f"SELECT * FROM rank_ranges {of_gpu}"),
        *((cause, fact) for cause, fact in [*_ranks(trace, means), *_intervals(trace, means)] if fact.gpu == gpu),
    ]
    return _by_cause((cause, replace(fact, gpu=gpu)) for cause, fact in facts)


ByCause = Iterator[tuple[str, Evidence]]


def _by_cause(facts: ByCause) -> dict[str, list[Evidence]]:
    by_cause: dict[str, list[Evidence]] = defaultdict(list)
    for cause, fact in facts:
        by_cause[cause].append(fact)
    return by_cause


@dataclass(frozen=True)
class _Means:
    """Turns totals over a window and its GPUs into means of a GPU and a step."""

    window: DiagnosedWindow
    gpus: int

    def of(self, total: float) -> float:
        return total / (self.window.in_steps * self.gpus)

    def lost(self, row: dict[str, Any], times: str = "") -> str:
        """What is lost in a step; with `times`, in how many gaps or accesses."""
        lost = duration(self.of(row["lost_ns"]))
        return self.window.each(f"{lost} in {times}" if times else lost)


def _has_samples(trace: OpenTrace) -> bool:
    """Whether Python samples see the user's own code; most traces have none, and need no joins."""
    return bool(trace.id_rows("SELECT 1 FROM python_samples LIMIT 1"))


def _lines(trace: OpenTrace, _: _Means, query: str = "SELECT * FROM source_lines") -> ByCause:
    if not _has_samples(trace):
        return
    for row in trace.id_rows(query):
        line, text = _line(row)
        yield row["cause"], Evidence(text, source_line=line)


def _functions(trace: OpenTrace, _: _Means) -> ByCause:
    if not _has_samples(trace):
        return
    for row in trace.id_rows("SELECT * FROM evidence_functions"):
        share = percent(row["samples"] / row["all_samples"])
        yield row["cause"], Evidence(f"{share} of its Python samples in {shortened(clean(row['frame']), MAX_FRAME)}")


def _producers(trace: OpenTrace, _: _Means) -> ByCause:
    for row in trace.id_rows("SELECT * FROM producer_lines"):
        line, text = _line(row)
        yield INPUT_PIPELINE, Evidence(f"meanwhile on another thread: {text}", source_line=line)


def _line(row: dict[str, Any]) -> tuple[str, str]:
    """A source line, and the same with its function and its samples."""
    line = f"{clean_path(row['file'])}:{row['line']}"
    return line, f"{line} in {clean(row['function'])} ({count(row['samples'], 'Python sample')})"


def _libraries(trace: OpenTrace, _: _Means) -> ByCause:
    for row in trace.id_rows("SELECT * FROM evidence_libraries"):
        if row["samples"] >= MIN_SAMPLED_SHARE * row["all_samples"]:
            doing = f" ({row['doing']})" if row["doing"] else ""
            function = f", most in {shortened(clean(row['function']), MAX_FUNCTION)}" if row["function"] else ""
            samples = f"{row['samples']:,} of {count(row['all_samples'], 'CPU sample')}"
            yield row["cause"], Evidence(f"{samples} in {clean(row['library'])}{doing}{function}")


def _calls(trace: OpenTrace, means: _Means, query: str = "SELECT * FROM evidence_calls") -> ByCause:
    for row in trace.id_rows(query):
        call = f"{clean(row['name'])} on thread {clean(row['thread'] or '?')}"
        gaps = count(means.of(row["gaps"]), "gap")
        yield row["cause"], Evidence(f"{call}: {means.lost(row, gaps)}")


def _copies(trace: OpenTrace, means: _Means) -> ByCause:
    for row in trace.id_rows("SELECT * FROM evidence_copies"):
        pageable = " from or to pageable memory" if row["pageable"] else ""
        mean, largest = row["bytes"] or 0, row["largest_bytes"] or 0
        sizes = f"{size(mean)} (mean{f', the largest {size(largest)}' if largest > 1.5 * mean else ''})"
        each = f"{means.window.each(amount(means.of(row['times'])))} of {sizes}"
        yield row["cause"], Evidence(f"exposed {row['direction']}{pageable}: {each}, {means.lost(row)}")


def _files(trace: OpenTrace, means: _Means) -> ByCause:
    if "OSRT_FILE_ACCESS_EVENTS" not in trace.tables:
        return  # as most traces: save the joins
    for row in trace.id_rows("SELECT * FROM evidence_files"):
        accesses = count(means.of(row["accesses"]), "access")
        moved = f" of {size(row['bytes'] / row['accesses'])} (mean)" if row["bytes"] else ""
        yield row["cause"], Evidence(f"file {clean_path(row['file'])}: {means.lost(row, accesses + moved)}")


def _faults(trace: OpenTrace, means: _Means) -> ByCause:
    if FAULT_TABLES.isdisjoint(trace.tables):
        return  # as most traces: save the joins
    for row in trace.id_rows("SELECT * FROM evidence_faults"):
        name = shortened(clean(row["name"]), MAX_FUNCTION) if row["name"] else "unknown code"
        where = f" in {clean(row['library'])}" if row["library"] else ""
        who = f"{'kernel' if row['on_gpu'] else 'CPU'} {name}{where}"
        access = f" ({clean(row['access'])})" if row["access"] else ""
        faults = means.window.each(count(means.of(row["faults"]), "page fault"))
        yield PAGE_MIGRATION, Evidence(f"{who}: {faults}{access}")


def _ranges(trace: OpenTrace, means: _Means, query: str = "SELECT * FROM evidence_ranges") -> ByCause:
    for row in trace.id_rows(query):
        path = clean(row["path"])
        yield row["cause"], Evidence(f"in NVTX {path}: {means.lost(row)}", nvtx=path)


def _ranks(trace: OpenTrace, means: _Means) -> ByCause:
    of_gpu = replace(means, gpus=1)  # a row is of one
    for row in trace.id_rows("SELECT * FROM evidence_ranks"):
        waits = f"GPU {row['gpu']} waits for GPU {row['last_gpu']}"
        text = f"{waits}: {of_gpu.lost(row, count(of_gpu.of(row['times']), 'collective'))}"
        yield row["cause"], Evidence(text, gpu=row["gpu"])


def _steps(trace: OpenTrace, means: _Means) -> ByCause:
    for row in trace.id_rows("SELECT * FROM evidence_steps"):
        if row["steps"] * 2 <= means.window.steps:
            few = f"{row['steps']:,} of {count(means.window.steps, means.window.unit)}"
            usual = duration(row["usual_ns"] / means.gpus)
            each = f", {usual} each (median)" if row["steps"] > 1 else f": {usual}"
            yield row["cause"], Evidence(f"{percent(row['share'])} of it in {few}{each}")


def _intervals(trace: OpenTrace, _: _Means) -> ByCause:
    for row in trace.id_rows("SELECT * FROM evidence_places"):
        start_ns, end_ns = row["start_ns"], row["end_ns"]
        length_ns = end_ns - start_ns
        if length_ns >= trace.options.min_gap_ns:
            path = clean(row["path"]) if row["path"] else None
            of_it = "" if row["lost_ns"] >= (1 - MIN_MENTIONED_SHARE) * length_ns else f" of {duration(length_ns)}"
            text = f"GPU {row['gpu']}, {timestamp(start_ns)} to {timestamp(end_ns)}: {duration(row['lost_ns'])}{of_it}"
            inside = f" in {path}" if path else ""
            yield row["cause"], Evidence(text + inside, nvtx=path, start_ns=start_ns, end_ns=end_ns, gpu=row["gpu"])


def _basis(trace: OpenTrace, _: _Means, query: str = "SELECT * FROM cause_totals") -> ByCause:
    for row in trace.id_rows(query):
        shares = {"named by NVTX ranges": row["named_share"], "inferred from what is around it": row["inferred_share"]}
        parts = [f"{percent(share)} is {how}" for how, share in shares.items() if share >= MIN_MENTIONED_SHARE]
        if parts:
            rest = "; the rest is seen in calls, activities or samples" if sum(shares.values()) < 1 - MIN_MENTIONED_SHARE else ""
            yield row["cause"], Evidence(f"of this time {', '.join(parts)}{rest}")
