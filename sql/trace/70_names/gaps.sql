-- The gaps of the window with names, cut to it: what ran before and after, which thread launched what comes after, and the
-- cause of the longest segment.
-- reads: trace.activity_names, trace.gaps, trace.nvtx_paths, trace.thread_names, trace.window_activities
-- reads: trace.window_segments, trace.window_steps
CREATE VIEW main.gaps AS
WITH before AS (
    SELECT gpu, end_ns, min(activity_id) AS activity_id FROM trace.window_activities GROUP BY gpu, end_ns
),

longest AS (
    SELECT
        gap_id, min(start_ns) AS start_ns, max(end_ns) AS end_ns,
        arg_max(cause, end_ns - start_ns) AS cause, arg_max_null(range_id, end_ns - start_ns) AS range_id
    FROM trace.window_segments
    WHERE gap_id IS NOT NULL
    GROUP BY gap_id
)

SELECT
    g.gap_id,
    g.gpu,
    l.start_ns,
    l.end_ns,
    l.end_ns - l.start_ns AS length_ns,
    l.cause,
    b.name AS before,
    a.name AS after,
    h.thread,
    n.path AS nvtx,
    CASE WHEN s.end_ns > l.start_ns THEN s.step END AS step,
    g.pid,
    g.launch_start_ns
FROM trace.gaps AS g
INNER JOIN longest AS l ON l.gap_id = g.gap_id
LEFT JOIN before AS p ON p.gpu = g.gpu AND p.end_ns = l.start_ns
LEFT JOIN trace.activity_names AS b ON b.activity_id = p.activity_id
LEFT JOIN trace.activity_names AS a ON a.activity_id = g.gap_id
LEFT JOIN trace.thread_names AS h ON h.global_tid = g.global_tid
LEFT JOIN trace.nvtx_paths AS n ON n.range_id = l.range_id
ASOF LEFT JOIN trace.window_steps AS s ON l.start_ns >= s.start_ns;

COMMENT ON VIEW main.gaps IS 'maximal intervals of the window in which a GPU runs no activity, on any stream of any process, with names and causes';
COMMENT ON COLUMN main.gaps.cause IS 'cause of the longest segment';
COMMENT ON COLUMN main.gaps.before IS 'the activity that ended as the gap began; NULL at the start of the window';
COMMENT ON COLUMN main.gaps.after IS 'the activity that ends it; NULL at the end of the recording';
COMMENT ON COLUMN main.gaps.thread IS 'the launching thread, as in thread_names';
COMMENT ON COLUMN main.gaps.nvtx IS 'NVTX path of the longest segment; NULL outside of all ranges';
COMMENT ON COLUMN main.gaps.step IS 'the step in which it begins, as in steps; NULL where there is none';
