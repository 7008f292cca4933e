-- Segments: all lost time of the analysed time, in pieces in which the launching thread's state does not change. Pieces of
-- gaps, and exposed time. The only definition of a segment. While the CPU is late, a segment is also cut where the NVTX range of
-- the main thread changes. Where the GPU was given its work in time, the range is that in which this work was launched, since the
-- main thread may be in another one by now. Each segment is cut where a regime ends.
-- reads: activities, exposed_launches, exposed_time, gaps, intersect_tiles, late_states, lost_run_ahead, range_tiles, regimes
-- reads: tile_at, uncut_pieces
CREATE TABLE segments AS
WITH lost AS (
    SELECT
        l.gap_id, NULL AS activity_id, l.gpu, l.track AS pid, p.start_ns, p.end_ns, l.segment_state AS state, l.name_id,
        l.on_global_tid, p.tile_id AS range_id, l.lacks_run_ahead
    FROM intersect_tiles('late_states', 'range_tiles') AS p
    INNER JOIN late_states AS l ON l.id = p.id
    UNION ALL
    SELECT
        g.gap_id, NULL, g.gpu, g.pid, u.start_ns, u.end_ns,
        CASE
            WHEN g.launch_start_ns IS NULL THEN 'unknown'
            -- 50 us: between two queued activities an H200's front end takes 0.8 to 3 us, and 10 us before a graph or a copy.
            -- What waits longer waits for something else.
            WHEN u.end_ns - u.start_ns < 50000 THEN 'queued'
            ELSE 'stalled'
        END,
        NULL, g.global_tid, r.tile_id, coalesce(u.start_ns < a.ahead_until_ns, false)
    FROM uncut_pieces AS u
    INNER JOIN gaps AS g ON g.gap_id = u.id
    INNER JOIN tile_at('uncut_pieces', 'range_tiles') AS r ON r.id = u.id
    LEFT JOIN lost_run_ahead AS a ON a.gap_id = u.id
    UNION ALL
    SELECT NULL, e.activity_id, e.gpu, a.pid, e.start_ns, e.end_ns, e.kind, NULL, a.global_tid, r.tile_id, false
    FROM exposed_time AS e
    INNER JOIN activities AS a ON a.activity_id = e.activity_id
    INNER JOIN tile_at('exposed_launches', 'range_tiles') AS r ON r.id = e.exposed_id
)

SELECT
    CAST(row_number() OVER () AS INTEGER) AS segment_id,
    r.regime,
    l.gap_id,
    l.activity_id,
    l.gpu,
    l.pid,
    greatest(l.start_ns, r.start_ns) AS start_ns,
    least(l.end_ns, r.end_ns) AS end_ns,
    l.state,
    l.name_id,
    l.on_global_tid,
    CAST(l.range_id AS INTEGER) AS range_id,
    l.lacks_run_ahead
FROM lost AS l
INNER JOIN regimes AS r ON l.start_ns < r.end_ns AND l.end_ns > r.start_ns;

COMMENT ON TABLE segments IS 'all lost time of the analysed time, in pieces in which the launching thread''s state does not change; no cause yet';
COMMENT ON COLUMN segments.segment_id IS 'unique number, in no order';
COMMENT ON COLUMN segments.regime IS 'the regime that it lies in, in regimes';
COMMENT ON COLUMN segments.gap_id IS 'the gap that it is part of; NULL for exposed time';
COMMENT ON COLUMN segments.activity_id IS 'the exposed or interrupted activity, in activities; NULL in a gap';
COMMENT ON COLUMN segments.pid IS 'process of the launching thread';
COMMENT ON COLUMN segments.state IS 'what the launching thread did, as in thread_states: its states other, stream_wait, host_function and not_begun are launch (launches and the code between them) or run (code for 1 ms or longer) here. Else queued (launched in time), stalled (so, and yet 50 us late or more), unknown (no call in the trace), communication or copy (exposed), or interrupted (a kernel, by another program)';
COMMENT ON COLUMN segments.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN segments.on_global_tid IS 'the thread whose state it is: the launching one, or the one that it waited for';
COMMENT ON COLUMN segments.range_id IS 'innermost NVTX range of the process''s main thread, in main_ranges; for work that was launched in time, when it was launched; NULL outside of all';
COMMENT ON COLUMN segments.lacks_run_ahead IS 'true while a run-ahead that a blocking call took from the CPU would have hidden its work';
