-- One row for each interval in which a thread was delayed by something other than its own work, as Nsight Systems and CUPTI
-- recorded it: the profiler itself, the loading and compiling of GPU code, or a full queue of launches, in which the CPU waits
-- because it is far ahead of the GPU.
--
-- Nsight Systems counts the loading of libraries, which it looks into, as its own work. Loading one that holds GPU code, or that
-- compiles it, is the program's. 1 ms: such libraries load in 5 to 95 ms; where one is loaded already, Nsight takes 40 us
-- (hfgen).
-- reads: is_interval, listed_kinds, pid_of, strings, export.CUPTI_ACTIVITY_KIND_JIT, export.CUPTI_ACTIVITY_KIND_OVERHEAD
-- reads: export.ENUM_CUPTI_OVERHEAD_TYPE, export.PROFILER_OVERHEAD
CREATE TABLE overheads AS
WITH library_loads AS (
    SELECT string_id
    FROM strings
    WHERE regexp_matches(
        text, '^dlopen\(lib(nvidia-(ptxjitcompiler|nvvm)|nv(rtc|JitLink|vm)|cu(dnn|blas|fft|rand|solver|sparse|tensor))'
    )
),

recorded AS (
    SELECT
        "start", "end", globalTid, nameId,
        CASE WHEN nameId IN (FROM library_loads) AND "end" - "start" >= 1000000 THEN 'module' ELSE 'profiler' END AS kind
    FROM export.PROFILER_OVERHEAD
    UNION ALL
    SELECT
        o."start", o."end", o.globalTid, o.nameId,
        CASE
            WHEN regexp_matches(coalesce(t.name, t.label), 'compiler|module.?loading|lazy', 'i') THEN 'module'
            WHEN regexp_matches(coalesce(t.name, t.label), 'command.?buffer', 'i') THEN 'queue_full'
            ELSE 'profiler'
        END
    FROM export.CUPTI_ACTIVITY_KIND_OVERHEAD AS o
    LEFT JOIN listed_kinds('export.ENUM_CUPTI_OVERHEAD_TYPE') AS t ON t.id = o.overheadType
    UNION ALL
    SELECT "start", "end", globalTid, nameId, 'module'
    FROM export.CUPTI_ACTIVITY_KIND_JIT
)

SELECT "start" AS start_ns, "end" AS end_ns, pid_of(globalTid) AS pid, globalTid AS global_tid, nameId AS name_id, kind
FROM recorded
-- CUPTI writes 0 where it could not take the time
WHERE is_interval("start", "end") AND "end" <> 0 AND globalTid IS NOT NULL;

COMMENT ON TABLE overheads IS 'what held a thread of the program up beside its own work, as Nsight Systems and CUPTI tell it';
COMMENT ON COLUMN overheads.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN overheads.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN overheads.name_id IS 'what it was, in strings; NULL where the trace does not say';
COMMENT ON COLUMN overheads.kind IS 'profiler, module (GPU code is loaded or compiled) or queue_full (the CPU is as far ahead as it can be)';
