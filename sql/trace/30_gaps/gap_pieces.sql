-- Gaps in pieces: while the CPU is late, cut wherever the launching thread's state or the NVTX range of the main thread changes;
-- from then on whole.
-- reads: gaps, intersect_tiles, late_states, nvtx_states, tile_at
CREATE VIEW gap_pieces AS
WITH in_states AS (
    SELECT gap_id, pid AS track, start_ns, end_ns, state_id FROM late_states
),

ranges AS (
    SELECT range_id AS id, pid AS track, start_ns, end_ns FROM nvtx_states WHERE range_id IS NOT NULL
),

in_time AS (
    SELECT gap_id, pid AS track, late_until_ns AS at_ns, end_ns FROM gaps WHERE end_ns > late_until_ns
)

SELECT gap_id, start_ns, end_ns, false AS in_time, state_id, tile_id AS range_id
FROM intersect_tiles('in_states', 'ranges')
UNION ALL
SELECT gap_id, at_ns, end_ns, true, NULL, tile_id
FROM tile_at('in_time', 'ranges');

COMMENT ON VIEW gap_pieces IS 'gaps, cut where what the launching thread does changes';
COMMENT ON COLUMN gap_pieces.gap_id IS 'as in gaps';
COMMENT ON COLUMN gap_pieces.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN gap_pieces.end_ns IS 'end, ns';
COMMENT ON COLUMN gap_pieces.in_time IS 'true from where the activity was launched in time, and the GPU is the reason';
COMMENT ON COLUMN gap_pieces.state_id IS 'what the launching thread does, in wait_chains; NULL where nothing is known of it';
COMMENT ON COLUMN gap_pieces.range_id IS 'innermost NVTX range of the process''s main thread, in nvtx_events; NULL outside of all';
