-- The tables and columns of an Nsight Systems export that gapfinder reads, and their types. A trace fills the tables that it
-- has. An absent column is NULL, and so is a value that does not fit its type. An absent table stays empty. Correlation ids are
-- unsigned in CUPTI. Ids of streams are small, except in SYNCHRONIZATION, where 2^32 - 1 means all streams.
CREATE SCHEMA export;

CREATE TABLE export.StringIds (id INTEGER, value VARCHAR);

CREATE TABLE export.CUPTI_ACTIVITY_KIND_KERNEL (
    "start" BIGINT, "end" BIGINT, deviceId INTEGER, streamId INTEGER, correlationId UINTEGER,
    globalPid BIGINT, contextId UINTEGER, shortName INTEGER, demangledName INTEGER
);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_MEMCPY (
    "start" BIGINT, "end" BIGINT, deviceId INTEGER, streamId INTEGER, correlationId UINTEGER,
    globalPid BIGINT, contextId UINTEGER, bytes BIGINT, copyKind BIGINT, srcKind BIGINT, dstKind BIGINT, migrationCause BIGINT
);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_MEMSET (
    "start" BIGINT, "end" BIGINT, deviceId INTEGER, streamId INTEGER, correlationId UINTEGER,
    globalPid BIGINT, contextId UINTEGER, bytes BIGINT
);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE (
    "start" BIGINT, "end" BIGINT, deviceId INTEGER, streamId INTEGER, correlationId UINTEGER,
    globalPid BIGINT, contextId UINTEGER, graphId BIGINT
);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (
    "start" BIGINT, "end" BIGINT, streamId BIGINT, correlationId UINTEGER, globalPid BIGINT, syncType BIGINT
);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_RUNTIME (
    "start" BIGINT, "end" BIGINT, globalTid BIGINT, correlationId UINTEGER, nameId INTEGER, returnValue BIGINT
);
CREATE TABLE export.OSRT_API ("start" BIGINT, "end" BIGINT, globalTid BIGINT, nameId INTEGER);
CREATE TABLE export.OSRT_FILE_ACCESS_EVENTS (
    fileAccessId BIGINT, threadId BIGINT, startedAt BIGINT, endedAt BIGINT, bytesProcessed BIGINT
);
CREATE TABLE export.OSRT_FILE_ACCESS_DESCRIPTORS (fileAccessId BIGINT, processId BIGINT, filePath VARCHAR);
CREATE TABLE export.CUDA_UM_CPU_PAGE_FAULT_EVENTS (
    "start" BIGINT, globalPid BIGINT, CpuInstruction INTEGER, module INTEGER, unresolvedFaultPc BIGINT
);
CREATE TABLE export.CUDA_UM_GPU_PAGE_FAULT_EVENTS (
    "start" BIGINT, "end" BIGINT, globalPid BIGINT, deviceId INTEGER, numberOfPageFaults BIGINT, faultAccessType BIGINT
);
CREATE TABLE export.GPU_CONTEXT_SWITCH_EVENTS (
    tag BIGINT, seqNo BIGINT, contextId BIGINT, "timestamp" BIGINT, globalPid BIGINT, gpuId INTEGER
);
CREATE TABLE export.GPU_METRICS ("timestamp" BIGINT, typeId BIGINT, metricId BIGINT, value BIGINT);
CREATE TABLE export.SCHED_EVENTS ("start" BIGINT, cpu INTEGER, isSchedIn BIGINT, globalTid BIGINT, threadState BIGINT);
CREATE TABLE export.COMPOSITE_EVENTS (id BIGINT, "start" BIGINT, globalTid BIGINT);
CREATE TABLE export.SAMPLING_CALLCHAINS (id BIGINT, symbol INTEGER, module INTEGER, unresolved BIGINT, stackDepth BIGINT);
CREATE TABLE export.PROFILER_OVERHEAD ("start" BIGINT, "end" BIGINT, globalTid BIGINT, nameId INTEGER);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_OVERHEAD (
    "start" BIGINT, "end" BIGINT, globalTid BIGINT, nameId INTEGER, overheadType BIGINT
);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_JIT ("start" BIGINT, "end" BIGINT, globalTid BIGINT, nameId INTEGER);
CREATE TABLE export.CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH (
    "start" BIGINT, "end" BIGINT, streamId BIGINT, globalPid BIGINT
);
CREATE TABLE export.CUDA_HOST_CALLBACK ("start" BIGINT, "end" BIGINT, globalTid BIGINT);
CREATE TABLE export.NVTX_EVENTS (
    "start" BIGINT, "end" BIGINT, eventType BIGINT, globalTid BIGINT, text VARCHAR, textId INTEGER,
    domainId BIGINT, jsonText VARCHAR, jsonTextId BIGINT, binaryData BLOB
);
CREATE TABLE export.NVTX_PAYLOAD_SCHEMA_ENTRIES (schemaId BIGINT, name VARCHAR, "offset" BIGINT);
CREATE TABLE export.ThreadNames (nameId INTEGER, globalTid BIGINT);
CREATE TABLE export.PROCESSES (globalPid BIGINT, pid INTEGER, name VARCHAR);
CREATE TABLE export.DIAGNOSTIC_EVENT (text VARCHAR);

CREATE TABLE export.TARGET_INFO_SESSION_START_TIME (utcEpochNs BIGINT);
CREATE TABLE export.TARGET_INFO_GPU (id INTEGER, name VARCHAR, cuDevice BIGINT);
CREATE TABLE export.TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
CREATE TABLE export.TARGET_INFO_CUDA_CONTEXT_INFO (processId INTEGER, contextId UINTEGER, deviceId INTEGER);
CREATE TABLE export.TARGET_INFO_CUDA_STREAM (processId INTEGER, streamId UINTEGER, flag BIGINT);
CREATE TABLE export.TARGET_INFO_GPU_METRICS (typeId BIGINT, metricId BIGINT, metricName VARCHAR);

CREATE TABLE export.ENUM_CUDA_MEMCPY_OPER (id BIGINT, name VARCHAR, label VARCHAR);
CREATE TABLE export.ENUM_CUDA_MEM_KIND (id BIGINT, name VARCHAR, label VARCHAR);
CREATE TABLE export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE (id BIGINT, name VARCHAR, label VARCHAR);
CREATE TABLE export.ENUM_GPU_CTX_SWITCH (id BIGINT, name VARCHAR, label VARCHAR);
CREATE TABLE export.ENUM_CUPTI_OVERHEAD_TYPE (id BIGINT, name VARCHAR, label VARCHAR);
CREATE TABLE export.ENUM_CUPTI_SYNC_TYPE (id BIGINT, name VARCHAR, label VARCHAR);
CREATE TABLE export.ENUM_SAMPLING_THREAD_STATE (id BIGINT, name VARCHAR, label VARCHAR);
CREATE TABLE export.ENUM_NSYS_EVENT_TYPE (id BIGINT, name VARCHAR, label VARCHAR);

COMMENT ON COLUMN export.CUPTI_ACTIVITY_KIND_RUNTIME."start" IS 'CPU time, ns since the session began; so are all starts and ends';
