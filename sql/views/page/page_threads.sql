-- One row for each thread that the page shows: the launching threads, the main thread first; then threads that have Python
-- or CPU samples, or hold the GIL or an NVTX range in the window, at most four in each process.
-- reads: trace.activity_totals, trace.cpu_samples, trace.gil_ranges, trace.launching_threads, trace.nvtx_ranges, trace.pid_of
-- reads: trace.profiler_threads, trace.python_samples, trace.thread_names, trace.tid_of, window
CREATE VIEW page_threads AS
WITH processes_at_work AS (
    SELECT pid, min(gpu) AS gpu FROM trace.activity_totals GROUP BY pid
),

seen AS (
    SELECT global_tid, trace.pid_of(global_tid) AS pid, count(*) AS times FROM trace.python_samples, trace."window" AS w
    WHERE at_ns BETWEEN w.start_ns AND w.end_ns
    GROUP BY global_tid
    UNION ALL
    SELECT global_tid, trace.pid_of(global_tid), count(*) FROM trace.cpu_samples, trace."window" AS w
    WHERE at_ns BETWEEN w.start_ns AND w.end_ns
    GROUP BY global_tid
    UNION ALL
    SELECT g.global_tid, g.pid, count(*) FROM trace.gil_ranges AS g, trace."window" AS w
    WHERE NOT g.waiting AND g.start_ns < w.end_ns AND g.end_ns > w.start_ns
    GROUP BY g.global_tid, g.pid
    UNION ALL
    SELECT n.global_tid, n.pid, count(*) FROM trace.nvtx_ranges AS n, trace."window" AS w
    WHERE n.start_ns < w.end_ns AND n.end_ns > w.start_ns
    GROUP BY n.global_tid, n.pid
),

others AS (
    SELECT global_tid, pid, sum(times) AS times FROM seen
    WHERE
        global_tid NOT IN (SELECT global_tid FROM trace.launching_threads)
        AND global_tid NOT IN (SELECT global_tid FROM trace.profiler_threads)
    GROUP BY global_tid, pid
    QUALIFY row_number() OVER (PARTITION BY pid ORDER BY sum(times) DESC, global_tid) <= 4
)

SELECT
    row_number() OVER (ORDER BY p.gpu, p.pid, t.rank, t.times DESC, t.global_tid) AS number,
    p.pid,
    t.global_tid,
    coalesce(n.thread, format('thread {}', trace.tid_of(t.global_tid))) AS thread,
    t.rank < 2 AS submits
FROM (
    SELECT global_tid, pid, CASE WHEN main THEN 0 ELSE 1 END AS rank, activities AS times FROM trace.launching_threads
    UNION ALL
    SELECT global_tid, pid, 2, times FROM others
) AS t
INNER JOIN processes_at_work AS p ON p.pid = t.pid
LEFT JOIN trace.thread_names AS n ON n.global_tid = t.global_tid
ORDER BY p.gpu, p.pid, t.rank, t.times DESC, t.global_tid;

COMMENT ON VIEW page_threads IS 'the threads that a report shows';
COMMENT ON COLUMN page_threads.number IS 'number in the order in which they are shown';
COMMENT ON COLUMN page_threads.thread IS 'name of the thread, and in brackets its thread id';
COMMENT ON COLUMN page_threads.submits IS 'true for a launching thread';
