-- One row for each launching thread that began after another one while the trace was recorded, as a server begins a thread for
-- each connection. It is seen to begin where it gets a core for the first time, or where another thread calls pthread_create
-- right before its first call.
-- reads: core_switches, launching_threads, os_call_kinds, os_calls, own_work_ns, tid_of
CREATE TABLE thread_starts AS
WITH switches AS (
    SELECT global_tid, min(at_ns) AS first_ns, max(at_ns) AS last_ns, arg_min(gets, (at_ns, gets)) AS gets_first
    FROM core_switches
    WHERE global_tid IN (SELECT global_tid FROM launching_threads)
    GROUP BY global_tid
),

called AS (
    SELECT global_tid, min(start_ns) AS first_ns, max(end_ns) AS last_ns
    FROM os_calls
    WHERE global_tid IN (SELECT global_tid FROM launching_threads)
    GROUP BY global_tid
),

creations AS (
    SELECT pid, start_ns
    FROM os_calls
    WHERE name_id IN (SELECT string_id FROM os_call_kinds WHERE name = 'pthread_create')
),

begun AS (
    SELECT
        l.pid,
        l.global_tid,
        coalesce(s.first_ns, c.first_ns) AS starts_ns,
        greatest(s.last_ns, c.last_ns) AS ends_ns,
        s.gets_first OR (s.global_tid IS NULL AND c.first_ns - p.start_ns <= own_work_ns()) AS is_seen
    FROM launching_threads AS l
    LEFT JOIN switches AS s ON s.global_tid = l.global_tid
    LEFT JOIN called AS c ON c.global_tid = l.global_tid
    ASOF LEFT JOIN creations AS p ON p.pid = l.pid AND c.first_ns >= p.start_ns
    WHERE tid_of(l.global_tid) <> l.pid
),

after AS (
    SELECT
        *,
        lag(global_tid) OVER in_order AS before_global_tid,
        lag(starts_ns) OVER in_order AS before_ns,
        max(ends_ns) OVER (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended_ns
    FROM begun
    WINDOW in_order AS (PARTITION BY pid ORDER BY starts_ns, global_tid)
)

SELECT pid, global_tid, before_global_tid, before_ns, least(ended_ns, starts_ns) AS idle_from_ns, starts_ns
FROM after
WHERE is_seen AND before_ns < starts_ns;

COMMENT ON TABLE thread_starts IS 'launching threads that began while the trace was recorded, after others';
COMMENT ON COLUMN thread_starts.before_global_tid IS 'the launching thread of the process that began last before it';
COMMENT ON COLUMN thread_starts.before_ns IS 'when that one began, ns since the session began';
COMMENT ON COLUMN thread_starts.idle_from_ns IS 'when the last of those before it ended, or it began itself, ns';
COMMENT ON COLUMN thread_starts.starts_ns IS 'when it began, ns';
