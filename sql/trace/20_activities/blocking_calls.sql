-- One row for each call in which the CPU waits for the GPU, or for memory: synchronize calls, copies of pageable memory, copies
-- from or to the host by a call that is not asynchronous, and calls that allocate or free; launches, where each waits for its
-- kernel; polls; and calls of the operating system that wait for a copy of another thread. A synchronize call right after a copy
-- call is the second half of a blocking copy, as .item() makes it: its row begins where the copy call began, and says what the
-- copy was.
-- reads: blocking_launches, call_families, called_back_waits, calls, copies, polls
CREATE TABLE blocking_calls AS
WITH candidates AS (
    SELECT
        c.*,
        coalesce(d.direction, '') AS direction,
        coalesce(d.pageable OR (d.direction IN ('Host-to-Device', 'Device-to-Host') AND NOT contains(f.name, 'Async')), false)
            AS blocking
    FROM calls AS c
    INNER JOIN call_families AS f ON f.string_id = c.name_id
    LEFT JOIN (
        SELECT pid, correlation_id, min(direction) AS direction, bool_or(pageable) AS pageable
        FROM copies
        GROUP BY pid, correlation_id
    ) AS d ON d.pid = c.pid AND d.correlation_id = c.correlation_id
    WHERE c.family IN ('sync', 'copy', 'memory')
),

followed AS (
    SELECT
        *,
        lag(family) OVER thread AS last_family,
        lag(direction) OVER thread AS last_direction,
        lag(start_ns) OVER thread AS last_start_ns,
        lag(end_ns) OVER thread AS last_end_ns
    FROM candidates
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns, correlation_id)
),

-- 20 us: the two calls of a blocking copy are 0.1 to 0.3 us apart on an H200 host, calls of two statements in Python at least 5
-- us. Where a launch lies between them, the program waits for that.
synchronized_copies AS (
    SELECT f.global_tid, f.start_ns, f.correlation_id
    FROM (
        SELECT * FROM followed WHERE family = 'sync' AND last_family = 'copy' AND start_ns - last_end_ns < 20000
    ) AS f
    ASOF LEFT JOIN (SELECT global_tid, start_ns FROM calls WHERE family = 'launch') AS l
        ON l.global_tid = f.global_tid AND f.start_ns >= l.start_ns
    WHERE l.start_ns IS NULL OR l.start_ns < f.last_start_ns
),

paired AS (
    SELECT
        f.*,
        s.start_ns IS NOT NULL AS ends_copy,
        CASE WHEN ends_copy THEN f.last_direction ELSE f.direction END AS copy_direction
    FROM followed AS f
    LEFT JOIN synchronized_copies AS s
        ON s.global_tid = f.global_tid AND s.start_ns = f.start_ns AND s.correlation_id = f.correlation_id
)

SELECT
    pid,
    global_tid,
    CASE WHEN ends_copy THEN last_start_ns ELSE start_ns END AS start_ns,
    end_ns,
    name_id,
    CASE
        WHEN family = 'memory' THEN 'memory'
        WHEN family = 'sync' AND NOT ends_copy THEN 'sync'
        WHEN copy_direction = 'Device-to-Host' THEN 'download'
        WHEN starts_with(copy_direction, 'Host-to-') THEN 'upload'
        ELSE 'other_copy'
    END AS waits_for
FROM paired
WHERE family IN ('sync', 'memory') OR (family = 'copy' AND blocking)
UNION ALL
SELECT b.pid, b.global_tid, b.waits_from_ns, b.launch_end_ns, c.name_id, 'sync'
FROM blocking_launches AS b
INNER JOIN calls AS c ON c.global_tid = b.global_tid AND c.start_ns = b.launch_start_ns AND c.family = 'launch'
UNION ALL
SELECT pid, global_tid, start_ns, end_ns, name_id, 'sync'
FROM polls
UNION ALL
SELECT pid, global_tid, start_ns, end_ns, name_id, 'download'
FROM called_back_waits;

COMMENT ON TABLE blocking_calls IS 'calls in which the CPU waits for the GPU, or for memory';
COMMENT ON COLUMN blocking_calls.start_ns IS 'CPU start, ns since the session began; for a copy call with its synchronize call, that of the copy call; for a launch, when it begins to wait; for a poll, its first call';
COMMENT ON COLUMN blocking_calls.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN blocking_calls.name_id IS 'name of the call, in strings';
COMMENT ON COLUMN blocking_calls.waits_for IS 'sync, download (a device-to-host copy), upload (host to device), other_copy or memory';
