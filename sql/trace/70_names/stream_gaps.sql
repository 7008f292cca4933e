-- Gaps of single streams with names.
-- reads: trace.activity_names, trace.stream_gaps, trace.thread_names, trace.window_activities
CREATE VIEW main.stream_gaps AS
WITH before AS (
    SELECT gpu, pid, stream, end_ns, min(activity_id) AS activity_id
    FROM trace.window_activities
    GROUP BY gpu, pid, stream, end_ns
)

SELECT
    g.stream_gap_id,
    g.gpu,
    g.pid,
    g.stream,
    g.start_ns,
    g.end_ns,
    g.end_ns - g.start_ns AS length_ns,
    g.computing_ns,
    b.name AS before,
    a.name AS after,
    h.thread
FROM trace.stream_gaps AS g
LEFT JOIN before AS p ON p.gpu = g.gpu AND p.pid = g.pid AND p.stream = g.stream AND p.end_ns = g.start_ns
LEFT JOIN trace.activity_names AS b ON b.activity_id = p.activity_id
LEFT JOIN trace.activity_names AS a ON a.activity_id = g.after_activity_id
LEFT JOIN trace.thread_names AS h ON h.global_tid = g.global_tid;

COMMENT ON VIEW main.stream_gaps IS 'gaps of each stream with names; they cost nothing while the GPU computes on another stream';
COMMENT ON COLUMN main.stream_gaps.before IS 'the activity that ended as the gap began';
COMMENT ON COLUMN main.stream_gaps.after IS 'the activity that ends it';
COMMENT ON COLUMN main.stream_gaps.thread IS 'the thread that launched what comes after, as in thread_names';
