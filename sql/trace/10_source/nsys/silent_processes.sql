-- One row: how many processes launch, and make no OS call meanwhile. In 150 sound traces each process that launches made one
-- while its kernels ran, if only for 8 ms. Here they run for 50 ms, and the trace has 100 OS calls: fewer may be all that were
-- made.
-- reads: os_calls, pid_of, export.CUPTI_ACTIVITY_KIND_KERNEL
CREATE TABLE silent_processes AS
WITH launching_processes AS (
    SELECT pid_of(globalPid) AS pid, min("start") AS first_ns, max("end") AS last_ns
    FROM export.CUPTI_ACTIVITY_KIND_KERNEL
    WHERE globalPid IS NOT NULL
    GROUP BY globalPid
),

heard AS (
    SELECT l.pid
    FROM launching_processes AS l
    SEMI JOIN os_calls AS o ON o.pid = l.pid AND o.start_ns <= l.last_ns AND o.end_ns >= l.first_ns
)

SELECT
    'processes that launch, and make no OS call meanwhile' AS kind,
    count(*) FILTER (last_ns - first_ns >= 50000000 AND pid NOT IN (SELECT pid FROM heard)) AS "rows",
    count(*) AS all_rows
FROM launching_processes
WHERE (SELECT count(*) FROM os_calls) >= 100;

COMMENT ON TABLE silent_processes IS 'how many processes launch, and make no OS call meanwhile';
COMMENT ON COLUMN silent_processes.kind IS 'the rows, in words';
