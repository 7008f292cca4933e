"""Builds synthetic traces: an SQLite file with Nsight's own tables and columns, from short calls. Times are in ns."""

import json
import sqlite3
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from struct import pack

from gapfinder.opening import open_trace
from gapfinder.options import Options
from gapfinder.pipeline.config import read_config
from gapfinder.trace import OpenTrace

US, MS = 1_000, 1_000_000
NCCL_DOMAIN, NCCL_SCHEMA = 9, 1 << 24 | 5
VM = 1 << 48  # real ids have bits above those of the process
METRICS_OF_GPU_0 = 0x1000100000000  # the type of its metrics; the last byte is the GPU
MEMORIES = {"Pageable": 0, "Pinned": 1, "Device": 2}
DIRECTIONS = {
    "Host-to-Device": 1,
    "Device-to-Host": 2,
    "Device-to-Device": 8,
    "Peer-to-Peer": 10,
    "Unified Host-to-Device": 11,
    "Unified Device-to-Host": 12,
}
MIGRATION_CAUSES = {"prefetch": 1, "page fault": 2}
SYNCS = {"Stream wait sync": 2, "Stream sync": 3}
THREAD_STATES = {"Unknown": 0, "Running": 1, "Interruptible": 2, "Uninterruptible": 3}
CUPTI_OVERHEADS = ["CUPTI_BUFFER_FLUSH", "DRIVER_COMPILER", "LAZY_FUNCTION_LOADING", "COMMAND_BUFFER_FULL"]
GPU_SWITCHES = {"FE_ACK": 2, "SAVE_END": 7, "RESTORE_START": 8}
FAULTS = ["Read", "Write", "Atomic", "Prefetch"]
EVENTS = {"NvtxMark": 34, "NvtxPushPopRange": 59, "NvtxStartEndRange": 60, "NvtxDomainCreate": 75}


def thread(tid=1, pid=1):
    return VM | pid << 24 | tid


MAIN = thread()


def pid_of(global_tid):
    return global_tid >> 24 & 0xFFFFFF


class Synthetic:
    """Rows by table. As Nsight does, a table without rows is not written."""

    def __init__(self):
        self.tables = defaultdict(list)
        self._strings: dict[str, int] = {}
        self._correlations: Counter[int] = Counter()
        for table, values in (
            ("ENUM_CUDA_MEMCPY_OPER", DIRECTIONS),
            ("ENUM_CUDA_MEM_KIND", MEMORIES),
            ("ENUM_CUPTI_SYNC_TYPE", SYNCS),
            ("ENUM_NSYS_EVENT_TYPE", EVENTS),
            ("ENUM_SAMPLING_THREAD_STATE", THREAD_STATES),
        ):
            for name, number in values.items():
                self._add(table, id=number, name=name, label=name)
        self._add("META_DATA_EXPORT", name="EXPORT_SCHEMA_VERSION", value="3.20.3")

    def thread(self, tid, pid=1, name="python3", process="python3"):
        """A named thread of a named process; returns its globalTid."""
        self._add("ThreadNames", nameId=self.string(name), globalTid=thread(tid, pid))
        self._add("PROCESSES", globalPid=VM | pid << 24, pid=pid, name=process)
        return thread(tid, pid)

    def visible(self, pid, ordinal, gpu):
        """The process means this physical GPU by that CUDA ordinal; without it the two are the same."""
        self._add("TARGET_INFO_GPU", id=gpu, name=f"H{gpu}", cuDevice=gpu)
        self._add("TARGET_INFO_CUDA_DEVICE", gpuId=gpu, cudaId=ordinal, pid=pid)

    def context(self, number, ordinal):
        """A CUDA context of process 1, on the GPU of that ordinal."""
        self._add("TARGET_INFO_CUDA_CONTEXT_INFO", processId=1, contextId=number, deviceId=ordinal)

    def stream(self, number, flag=1):
        """A CUDA stream of process 1: as created without options, or by CUPTI's flag."""
        self._add("TARGET_INFO_CUDA_STREAM", processId=1, streamId=number, flag=flag)

    def call(self, name, start, end, thread=MAIN, correlation=None, returned=0):
        """A CUDA API call; returns its correlation id, unique within the process unless given."""
        if correlation is None:
            self._correlations[pid_of(thread)] += 1
            correlation = self._correlations[pid_of(thread)]
        self._add(
            "CUPTI_ACTIVITY_KIND_RUNTIME",
            start=start,
            end=end,
            globalTid=thread,
            correlationId=correlation,
            nameId=self.string(name),
            returnValue=returned,
        )
        return correlation

    def kernel(self, start, end, launched=None, name="gemm", **where):
        """A kernel, and the call that launched it: (start, end), or no call at all."""
        self._activity("KERNEL", start, end, launched, "cudaLaunchKernel_v7000", shortName=self.string(name), **where)

    def graph(self, start, end, launched=None, graph=1, **where):
        self._activity("GRAPH_TRACE", start, end, launched, "cudaGraphLaunch_v10000", graphId=graph, **where)

    def copy(self, start, end, launched=None, direction="Host-to-Device", host="Pinned", size=1 << 20, **where):
        kinds = {"srcKind": MEMORIES[host], "dstKind": MEMORIES["Device"]}
        if direction == "Device-to-Host":
            kinds = {"srcKind": MEMORIES["Device"], "dstKind": MEMORIES[host]}
        self._activity(
            "MEMCPY", start, end, launched, "cudaMemcpyAsync_v3020", copyKind=DIRECTIONS[direction], bytes=size, **kinds, **where
        )

    def migration(self, start, end, direction="Unified Device-to-Host", cause="page fault", size=4096):
        """Pages of managed memory that move: no call launches them, and they are on no stream."""
        columns = {"copyKind": DIRECTIONS[direction], "bytes": size, "migrationCause": MIGRATION_CAUSES[cause]}
        self._activity("MEMCPY", start, end, None, "", stream=0, correlation=0, **columns)

    def memset(self, start, end, launched=None, **where):
        self._activity("MEMSET", start, end, launched, "cudaMemsetAsync_v3020", bytes=4, **where)

    def stream_sync(self, start, end, stream):
        """A call that waits for a stream."""
        correlation = self.call("cudaStreamSynchronize_v3020", start, end)
        self._add(
            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            start=start,
            end=end,
            streamId=stream,
            correlationId=correlation,
            globalPid=MAIN & ~0xFFFFFF,
        )

    def stream_wait(self, start, end, stream, thread=MAIN):
        """The stream waits for an event of another one."""
        self._add(
            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            start=start,
            end=end,
            streamId=stream,
            globalPid=thread & ~0xFFFFFF,
            syncType=SYNCS["Stream wait sync"],
            correlationId=self.call("cudaStreamWaitEvent_v3020", start, end, thread),
        )

    def os(self, name, start, end, thread=MAIN):
        self._add("OSRT_API", start=start, end=end, globalTid=thread, nameId=self.string(name))

    def file_access(self, file, start, end, size=4096):
        """An access to a file, and the call that makes it; newer versions of Nsight Systems record the file."""
        self.os("write", start, end)
        files = self.tables["OSRT_FILE_ACCESS_DESCRIPTORS"]
        number = next((row["fileAccessId"] for row in files if row["filePath"] == file), len(files) + 1)
        if number > len(files):
            self._add("OSRT_FILE_ACCESS_DESCRIPTORS", fileAccessId=number, processId=pid_of(MAIN), filePath=file)
        self._add(
            "OSRT_FILE_ACCESS_EVENTS",
            fileAccessId=number,
            threadId=MAIN & 0xFFFFFF,
            startedAt=start,
            endedAt=end,
            bytesProcessed=size,
        )

    def cpu_fault(self, at, function="fill", library="/home/me/fill"):
        """A page fault of the CPU on managed memory; without a symbol the function is None."""
        self._add(
            "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
            start=at,
            globalPid=MAIN & ~0xFFFFFF,
            CpuInstruction=self.string(function or f"0x{at:x}"),
            module=self.string(library),
            unresolvedFaultPc=int(function is None),
        )

    def gpu_fault(self, start, end, faults=1, access="Read"):
        """Page faults of GPU 0 on managed memory."""
        if not self.tables["ENUM_CUDA_UNIF_MEM_ACCESS_TYPE"]:
            for number, name in enumerate(FAULTS, 1):
                self._add("ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", id=number, name=name.upper(), label=name)
        self._add(
            "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
            start=start,
            end=end,
            globalPid=MAIN & ~0xFFFFFF,
            deviceId=0,
            numberOfPageFaults=faults,
            faultAccessType=FAULTS.index(access) + 1,
        )

    def gpu_turn(self, start, end, context=1, pid=1):
        """A context gets GPU 0, and gives it back."""
        if not self.tables["ENUM_GPU_CTX_SWITCH"]:
            for name, number in GPU_SWITCHES.items():
                self._add("ENUM_GPU_CTX_SWITCH", id=number, name=name, label=name)
        for at, name in ((start, "RESTORE_START"), (end, "SAVE_END")):
            self._add(
                "GPU_CONTEXT_SWITCH_EVENTS",
                tag=GPU_SWITCHES[name],
                seqNo=len(self.tables["GPU_CONTEXT_SWITCH_EVENTS"]),
                contextId=context,
                timestamp=at,
                globalPid=VM | pid << 24,
                gpuId=0,
            )

    def gpu_metric(self, at, value, name="SMs Active [Throughput %]"):
        """A sample of a metric of GPU 0."""
        known = [row["metricName"] for row in self.tables["TARGET_INFO_GPU_METRICS"]]
        number = known.index(name) if name in known else len(known)
        if number == len(known):
            self._add("TARGET_INFO_GPU_METRICS", typeId=METRICS_OF_GPU_0, metricId=number, metricName=name)
        self._add("GPU_METRICS", timestamp=at, typeId=METRICS_OF_GPU_0, metricId=number, value=value)

    def off_core(self, start, end, thread=MAIN):
        """The thread loses its core, and gets it back."""
        self._switches(thread, (start, 0), (end, 1))

    def on_core(self, start, end, thread=MAIN):
        """The thread gets a core, and loses it."""
        self._switches(thread, (start, 1), (end, 0))

    def _switches(self, thread, *switches):
        for at, gets in switches:
            self._add("SCHED_EVENTS", start=at, cpu=0, isSchedIn=gets, globalTid=thread, threadState=0)

    def overhead(self, start, end, name="CUPTI Buffer flush", thread=MAIN):
        self._add("PROFILER_OVERHEAD", start=start, end=end, globalTid=thread, nameId=self.string(name))

    def cupti_overhead(self, start, end, kind):
        """What CUPTI says that held the main thread up; newer versions of Nsight Systems record it."""
        if not self.tables["ENUM_CUPTI_OVERHEAD_TYPE"]:
            for number, name in enumerate(CUPTI_OVERHEADS):
                self._add("ENUM_CUPTI_OVERHEAD_TYPE", id=number, name=name, label=name.replace("_", " ").capitalize())
        number = CUPTI_OVERHEADS.index(kind)
        self._add(
            "CUPTI_ACTIVITY_KIND_OVERHEAD",
            start=start,
            end=end,
            globalTid=MAIN,
            nameId=None,
            overheadType=number,
        )

    def host_function(self, start, end, stream=7):
        """CPU code for which a stream waits."""
        self._add(
            "CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH",
            start=start, end=end, streamId=stream, globalPid=MAIN & ~0xFFFFFF,
        )  # fmt: skip

    def host_callback(self, start, end):
        """A call back from CUDA into the program."""
        self._add("CUDA_HOST_CALLBACK", start=start, end=end, globalTid=MAIN)

    def compiling(self, start, end):
        """The driver compiles PTX on the main thread."""
        self._add("CUPTI_ACTIVITY_KIND_JIT", start=start, end=end, globalTid=MAIN, nameId=self.string("JIT"))

    def diagnostic(self, text):
        """What nsys says of its own recording."""
        self._add("DIAGNOSTIC_EVENT", timestamp=0, severity=2, text=text)

    def nvtx(self, name, start, end, thread=MAIN, domain=0):
        self._event("NvtxPushPopRange", thread, start=start, end=end, textId=self.string(name), domainId=domain)

    def session(self, started):
        """When the capture began, ns since 1970."""
        self._add("TARGET_INFO_SESSION_START_TIME", utcEpochNs=started, utcTime="")

    def nccl(self, start, end, communicator, size, thread=MAIN, call="ncclAllReduce"):
        """NCCL's own mark of a call, with its binary payload."""
        if not any(row.get("text") == "NCCL" and row["globalTid"] == thread for row in self.tables["NVTX_EVENTS"]):
            self.domain("NCCL", NCCL_DOMAIN, thread)
            for offset, name in ((None, "NCCL communicator ID"), (8, "Message size [bytes]"), (16, "Reduction operation")):
                self._add("NVTX_PAYLOAD_SCHEMA_ENTRIES", schemaId=NCCL_SCHEMA, name=name, offset=offset)
        payload = pack("<QQQQQQII", 1, NCCL_SCHEMA, 24, 32, communicator, size, 0, 0)
        named = {"textId": self.string(call), "domainId": NCCL_DOMAIN}
        self._event("NvtxPushPopRange", thread, start=start, end=end, **named, binaryData=payload)

    def domain(self, name, number, thread=MAIN):
        self._event("NvtxDomainCreate", thread, start=-1, text=name, domainId=number)

    def sample(self, at, *frames, thread=MAIN):
        """A Python sample. Frames are (file, function, line), innermost first."""
        found = [{"File": self.string(file), "Function": self.string(name), "Line": line} for file, name, line in frames]
        text = json.dumps({"Python Periodic Sampling": {"Frames": found}}, separators=(",", ":"))
        self._event("NvtxMark", thread, start=at, jsonText=text, domainId=0)

    def cpu_sample(self, at, *frames, thread=MAIN):
        """A CPU sample. Frames are (library, function), innermost first; without a symbol the function is None."""
        number = len(self.tables["COMPOSITE_EVENTS"]) + 1
        self._add("COMPOSITE_EVENTS", id=number, start=at, globalTid=thread)
        for depth, (library, function) in enumerate(frames):
            self._add(
                "SAMPLING_CALLCHAINS",
                id=number,
                symbol=self.string(function or f"0x{at:x}"),
                module=self.string(library),
                unresolved=int(function is None),
                stackDepth=depth,
            )

    def write(self, path: Path) -> Path:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")  # nobody reads it after a crash
            for table, rows in self.rows().items():
                columns = list(dict.fromkeys(column for row in rows for column in row))
                quoted = ", ".join(f'"{column}"' for column in columns)
                connection.execute(f'CREATE TABLE "{table}" ({quoted})')
                values = [[row.get(column) for column in columns] for row in rows]
                connection.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})', values)
            connection.commit()
        return path

    @contextmanager
    def analysed(self, options: Options | None = None) -> Iterator[OpenTrace]:
        """This trace, written to a file and opened."""
        with (
            tempfile.TemporaryDirectory() as folder,
            open_trace(self.write(Path(folder) / "t.sqlite"), options or Options(), read_config(), lambda _: None) as analysis,
        ):
            yield analysis

    def advice(self, cause, options: Options | None = None):
        """What a diagnosis of this trace advises against a cause."""
        with self.analysed(options) as analysis:
            found = analysis.tuples(f"SELECT fix FROM fix_{cause}")
            return (found[0][0] if found else None) or analysis.config.causes[cause].usual_fix

    def rows(self):
        """All rows by table, those of its strings too."""
        return self.tables | {"StringIds": [{"id": number, "value": text} for text, number in self._strings.items()]}

    def _add(self, table, **row):
        self.tables[table].append(row)

    def string(self, text):
        """The id of a text, which is in StringIds from now on."""
        return self._strings.setdefault(text, len(self._strings))

    def swap_strings(self, one, other):
        """Two texts have each other's id."""
        self._strings[one], self._strings[other] = self._strings[other], self._strings[one]

    def _event(self, kind, thread, **row):
        self._add("NVTX_EVENTS", eventType=EVENTS[kind], globalTid=thread, **row)

    def _activity(self, kind, start, end, launched, call, thread=MAIN, stream=7, gpu=0, correlation=None, **columns):
        if launched:
            correlation = self.call(call, *launched, thread, correlation)
        self._add(
            f"CUPTI_ACTIVITY_KIND_{kind}",
            start=start,
            end=end,
            deviceId=gpu,
            streamId=stream,
            correlationId=correlation,
            globalPid=thread & ~0xFFFFFF,
            **columns,
        )
