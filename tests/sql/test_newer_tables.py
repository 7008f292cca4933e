"""What newer exports say of files and of page faults: it is in the evidence, whatever the order of the rows."""

import random

import pytest
from synthetic import MS, US, Synthetic
from variations import some

from gapfinder.diagnosis.evidence import evidence as evidence_of
from gapfinder.diagnosis.window import window_of

STEP = 10 * MS
STEPS = 8


def repeated(step):
    """Steps of 5 ms of compute, after which nothing runs, each with what `step` adds."""
    trace = Synthetic()
    trace.thread(1)
    for start in range(0, STEPS * STEP, STEP):
        trace.nvtx("step", start, start + 9900 * US)
        trace.kernel(start + 100 * US, start + 5 * MS, (start, start + 5 * US), name="gemm")
        step(trace, start)
    return trace


def writes(trace, start):
    """A checkpoint each step, in two pieces, and a log."""
    trace.file_access("/home/me/last.pt", start + 5100 * US, start + 7100 * US, size=3_000_000)
    trace.file_access("/home/me/last.pt", start + 7200 * US, start + 8200 * US, size=1_000_000)
    trace.file_access("/home/me/log.txt", start + 8300 * US, start + 8400 * US, size=100)


def faults(trace, start):
    """The CPU touches page after page, and the kernel some others."""
    for at in range(start + 5 * MS + 40 * US, start + 9900 * US, 40 * US):
        trace.cpu_fault(at - 35 * US)
        trace.migration(at, at + 2 * US)
    trace.gpu_fault(start + MS, start + MS + 20 * US, faults=48, access="Write")
    trace.gpu_fault(start + 2 * MS, start + 2 * MS + 20 * US, faults=16, access="Write")
    trace.gpu_fault(start + 3 * MS, start + 3 * MS + 20 * US, faults=8)


def shuffled(trace):
    for rows in trace.tables.values():
        random.Random(1).shuffle(rows)
    return trace


def evidence(trace, cause):
    with trace.analysed() as analysis:
        return [fact.text for fact in evidence_of(analysis, window_of(analysis))[cause]]


FILES = [
    "file /home/me/last.pt: 3.00 ms in 2 accesses of 2.00 MB (mean) a step",
    "file /home/me/log.txt: 100 us in 1 access of 100 B (mean) a step",
]
FAULTS = [
    "kernel gemm: 64 page faults a step (write)",
    "kernel gemm: 8 page faults a step (read)",
    "CPU fill in fill: 122 page faults a step",
]


@pytest.mark.parametrize("order", some(1, [lambda trace: trace, shuffled]), ids=["in-order", "shuffled"])
@pytest.mark.parametrize(
    ("step", "cause", "shown"), [(writes, "storage_io", FILES), (faults, "page_migration", FAULTS)], ids=["files", "page-faults"]
)
def test_they_are_evidence(step, cause, shown, order):
    assert [text for text in evidence(order(repeated(step)), cause) if text.startswith(("file", "kernel", "CPU "))] == shown


def lost_to_pages(step):
    """The time that is lost to page migration, us, and on what basis."""
    with repeated(step).analysed() as analysis:
        return analysis.tuples(
            "SELECT sum(end_ns - start_ns) / 1000, max(basis) FILTER (state = 'migration') FROM window_segments "
            "WHERE cause = 'page_migration'"
        )


@pytest.mark.parametrize(("touched", "since"), some(2, [(60, 60), (10, 40), (2000, 40), (None, 40)]))
def test_a_recorded_page_fault_begins_the_wait_for_its_page(touched, since):
    """It begins 40 us before the page moves at the latest."""

    def step(trace, start):
        for at in range(start + 6 * MS, start + 9 * MS, 100 * US):
            trace.migration(at, at + 2 * US)
        if touched and touched < 100:
            for at in range(start + 6 * MS, start + 9 * MS, 100 * US):
                trace.cpu_fault(at - touched * US)
        elif touched:
            trace.cpu_fault(start + 6 * MS - touched * US)

    mapped_us = 0.492  # 4 KB
    assert lost_to_pages(step) == [(pytest.approx(30 * STEPS * (since + 2 + mapped_us)), "inferred")]


@pytest.mark.parametrize(("size", "mapped_us"), some(2, [(4 << 20, 251.658), (64 << 10, 7.864), (1 << 20, 125.829)]))
def test_pages_that_came_are_mapped(size, mapped_us):
    """For 0.12 ns a byte, and at most 2 MB at once."""

    def step(trace, start):
        for at in range(start + 6 * MS, start + 9 * MS, 300 * US):
            trace.migration(at, at + 2 * US, size=size)

    assert lost_to_pages(step) == [(pytest.approx(10 * STEPS * (42 + mapped_us), rel=1e-4), "inferred")]


@pytest.mark.parametrize(
    ("recorded", "shown"), [(True, "Page faults of the GPU were served for 0.3 ms of it."), (False, "not in")]
)
def test_how_long_kernels_waited_for_pages_is_told_where_their_faults_were_recorded(recorded, shown):
    def step(trace, start):
        trace.migration(start + MS, start + MS + 10 * US, "Unified Host-to-Device")
        if recorded:
            trace.gpu_fault(start + MS, start + MS + 20 * US)
            trace.gpu_fault(start + MS + 19 * US, start + MS + 38 * US)

    with repeated(step).analysed() as analysis:
        ((note,),) = analysis.tuples("SELECT note FROM notes WHERE note LIKE '%page migrations ran inside of 8 kernels%'")
    assert shown in note


def test_processes_and_threads_may_be_written_with_all_bits():
    trace = repeated(writes)
    for row in trace.tables["OSRT_FILE_ACCESS_DESCRIPTORS"]:
        row["processId"] = 1 << 48 | 1 << 24
    for row in trace.tables["OSRT_FILE_ACCESS_EVENTS"]:
        row["threadId"] |= 1 << 48 | 1 << 24
    assert set(FILES) <= set(evidence(trace, "storage_io"))


def test_an_id_of_two_files_names_none():
    trace = repeated(writes)
    for row in trace.tables["OSRT_FILE_ACCESS_DESCRIPTORS"]:
        row["fileAccessId"] = 1
    assert not [text for text in evidence(trace, "storage_io") if "file " in text]


def test_accesses_of_other_threads_name_no_file():
    trace = repeated(writes)
    for row in trace.tables["OSRT_FILE_ACCESS_EVENTS"]:
        row["threadId"] = 2
    assert not [text for text in evidence(trace, "storage_io") if "file " in text]


def test_faults_outside_of_kernels_name_none():
    trace = repeated(faults)
    trace.tables["CUDA_UM_GPU_PAGE_FAULT_EVENTS"] = []
    for start in range(0, STEPS * STEP, STEP):
        trace.gpu_fault(start + 6 * MS, start + 6100 * US, faults=4)
    assert "kernel unknown code: 4 page faults a step (read)" in evidence(trace, "page_migration")


@pytest.mark.parametrize(
    ("table", "column", "value"),
    some(
        3,
        [
            ("OSRT_FILE_ACCESS_EVENTS", "endedAt", -1),
            ("OSRT_FILE_ACCESS_EVENTS", "startedAt", 2**62),
            ("OSRT_FILE_ACCESS_EVENTS", "fileAccessId", None),
            ("OSRT_FILE_ACCESS_DESCRIPTORS", "filePath", None),
            ("CUDA_UM_GPU_PAGE_FAULT_EVENTS", "end", -1),
            ("CUDA_UM_GPU_PAGE_FAULT_EVENTS", "numberOfPageFaults", None),
            ("CUDA_UM_GPU_PAGE_FAULT_EVENTS", "faultAccessType", None),
            ("CUDA_UM_CPU_PAGE_FAULT_EVENTS", "start", -(2**60)),
            ("CUDA_UM_CPU_PAGE_FAULT_EVENTS", "globalPid", None),
        ],
    ),
)
def test_values_that_cannot_be_are_damage(table, column, value):
    def step(trace, start):
        writes(trace, start)
        faults(trace, start)

    trace = repeated(step)
    trace.tables[table][0][column] = value
    with trace.analysed() as analysis:
        assert analysis.tuples(f"SELECT rows FROM damaged_rows WHERE table_name = '{table}'")
