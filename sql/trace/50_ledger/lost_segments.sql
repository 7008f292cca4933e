-- The segments of the window, each with its one cause, cut to the window. Between two of its stretches other GPUs may work, so
-- that a segment lies in both: then it is two.
-- reads: attributed_segments, window_pieces
CREATE TABLE lost_segments AS
SELECT
    s.* REPLACE (
        CASE
            WHEN (SELECT count(*) FROM window_pieces) = 1 THEN s.segment_id ELSE CAST(row_number() OVER () AS INTEGER)
        END AS segment_id,
        greatest(s.start_ns, w.start_ns) AS start_ns,
        least(s.end_ns, w.end_ns) AS end_ns
    )
FROM attributed_segments AS s
INNER JOIN window_pieces AS w ON s.start_ns < w.end_ns AND s.end_ns > w.start_ns;

COMMENT ON TABLE lost_segments IS 'the segments of the window, each with its one cause';
COMMENT ON COLUMN lost_segments.segment_id IS 'unique number; as in segments, where the window has one stretch';
COMMENT ON COLUMN lost_segments.gap_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.activity_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.gpu IS 'as in segments';
COMMENT ON COLUMN lost_segments.pid IS 'as in segments';
COMMENT ON COLUMN lost_segments.start_ns IS 'start inside the window, ns';
COMMENT ON COLUMN lost_segments.end_ns IS 'end inside the window, ns';
COMMENT ON COLUMN lost_segments.state IS 'as in segments';
COMMENT ON COLUMN lost_segments.name_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.on_global_tid IS 'as in segments';
COMMENT ON COLUMN lost_segments.range_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.lacks_run_ahead IS 'as in segments';
COMMENT ON COLUMN lost_segments.cause IS 'id of the cause';
COMMENT ON COLUMN lost_segments.basis IS 'how it is known: seen (the call or activity itself), named (by its NVTX range) or inferred; NULL where it is unexplained';
