-- Segments: all lost time of the window, in pieces in which the launching thread's state does not change. Pieces of gaps, and
-- exposed communication and copies. The only definition of a segment.
-- reads: activities, exposed_time, gap_pieces, gaps, lost_run_ahead, nvtx_states, own_work_ns, tile_at, wait_chains
CREATE TABLE segments AS
WITH pieces AS (
    SELECT
        p.gap_id,
        g.gpu,
        g.pid,
        p.start_ns,
        p.end_ns,
        CASE
            WHEN g.launch_start_ns IS NULL THEN 'unknown'
            -- 50 us: between two queued activities an H200's front end takes 0.8 to 3 us, and 10 us before a graph or a copy.
            -- What waits longer waits for something else.
            WHEN p.in_time AND p.end_ns - p.start_ns < 50000 THEN 'queued'
            WHEN p.in_time THEN 'stalled'
            WHEN w.state NOT IN ('run', 'other', 'stream_wait', 'host_function') THEN w.state
            WHEN
                least(g.launch_start_ns, coalesce(w.end_ns, g.launch_start_ns))
                - greatest(coalesce(g.launched_until_ns, g.start_ns), coalesce(w.since_ns, 0)) >= own_work_ns() THEN 'run'
            ELSE 'launch'
        END AS state,
        w.name_id,
        coalesce(w.on_global_tid, g.global_tid) AS on_global_tid,
        p.range_id
    FROM gap_pieces AS p
    INNER JOIN gaps AS g ON g.gap_id = p.gap_id
    LEFT JOIN wait_chains AS w ON w.state_id = p.state_id
),

exposed AS (
    SELECT e.*, a.pid, a.global_tid, a.pid AS track, e.start_ns AS at_ns
    FROM exposed_time AS e
    INNER JOIN activities AS a ON a.activity_id = e.activity_id
),

ranges AS (
    SELECT range_id AS id, pid AS track, start_ns, end_ns FROM nvtx_states WHERE range_id IS NOT NULL
),

lost AS (
    SELECT
        p.gap_id, NULL AS activity_id, p.gpu, p.pid, p.start_ns, p.end_ns, p.state, p.name_id, p.on_global_tid, p.range_id,
        -- the launch path right after a blocking call would have run ahead in any case
        coalesce(p.start_ns < r.ahead_until_ns OR (r.spans AND p.state = 'launch'), false) AS lacks_run_ahead
    FROM pieces AS p
    LEFT JOIN lost_run_ahead AS r ON r.gap_id = p.gap_id
    UNION ALL
    SELECT NULL, activity_id, gpu, pid, start_ns, end_ns, kind, NULL, global_tid, tile_id, false
    FROM tile_at('exposed', 'ranges')
)

SELECT CAST(row_number() OVER () AS INTEGER) AS segment_id, *
FROM lost;

COMMENT ON TABLE segments IS 'all lost time of the window, in pieces in which the launching thread''s state does not change; no cause yet';
COMMENT ON COLUMN segments.segment_id IS 'unique number, in no order';
COMMENT ON COLUMN segments.gap_id IS 'the gap that it is part of; NULL for exposed communication and copies';
COMMENT ON COLUMN segments.activity_id IS 'the exposed activity, in activities; NULL in a gap';
COMMENT ON COLUMN segments.gpu IS 'physical GPU';
COMMENT ON COLUMN segments.pid IS 'process of the launching thread';
COMMENT ON COLUMN segments.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN segments.end_ns IS 'end, ns';
COMMENT ON COLUMN segments.state IS 'launch (launches and the code between them), run (code, for 1 ms or longer), the states of thread_states but other, stream_wait and host_function, which count as launch or run, queued (launched in time), stalled (so, and yet 50 us late or more), unknown (no call in the trace), communication or copy (exposed)';
COMMENT ON COLUMN segments.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN segments.on_global_tid IS 'the thread whose state it is: the launching one, or the one that it waited for';
COMMENT ON COLUMN segments.range_id IS 'innermost NVTX range of the process''s main thread, in nvtx_events; NULL outside of all';
COMMENT ON COLUMN segments.lacks_run_ahead IS 'true while a run-ahead that a blocking call took from the CPU would have hidden its work';
