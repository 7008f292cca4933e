-- Gaps, cut wherever the launching thread's state or the NVTX range of the main thread changes, where the CPU would have lost a
-- run-ahead that a blocking call took, and where the CPU was no longer late.
-- reads: gaps, intersect_tiles, lost_run_ahead, nvtx_states, tile_at, wait_chains
CREATE TABLE gap_pieces AS
WITH late AS (
    SELECT gap_id, global_tid AS track, start_ns, late_until_ns AS end_ns FROM gaps WHERE late_until_ns > start_ns
),

states AS (
    SELECT state_id AS id, global_tid AS track, start_ns, end_ns FROM wait_chains
),

in_states AS (
    SELECT gap_id, gap_id AS track, start_ns, end_ns, tile_id AS state_id FROM intersect_tiles('late', 'states')
),

run_ahead AS (
    SELECT l.gap_id AS id, l.gap_id AS track, g.start_ns, l.ahead_until_ns AS end_ns
    FROM lost_run_ahead AS l
    INNER JOIN gaps AS g ON g.gap_id = l.gap_id
),

in_run_ahead AS (
    SELECT i.gap_id, g.pid AS track, i.start_ns, i.end_ns, i.state_id
    FROM intersect_tiles('in_states', 'run_ahead') AS i
    INNER JOIN gaps AS g ON g.gap_id = i.gap_id
),

ranges AS (
    SELECT range_id AS id, pid AS track, start_ns, end_ns FROM nvtx_states WHERE range_id IS NOT NULL
),

in_time AS (
    SELECT gap_id, pid AS track, late_until_ns AS at_ns, end_ns FROM gaps WHERE end_ns > late_until_ns
)

SELECT gap_id, start_ns, end_ns, false AS in_time, state_id, tile_id AS range_id
FROM intersect_tiles('in_run_ahead', 'ranges')
UNION ALL
SELECT gap_id, at_ns, end_ns, true, NULL, tile_id
FROM tile_at('in_time', 'ranges');

COMMENT ON TABLE gap_pieces IS 'gaps, cut where what the launching thread does changes';
COMMENT ON COLUMN gap_pieces.gap_id IS 'as in gaps';
COMMENT ON COLUMN gap_pieces.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN gap_pieces.end_ns IS 'end, ns';
COMMENT ON COLUMN gap_pieces.in_time IS 'true from where the activity was launched in time, and the GPU is the reason';
COMMENT ON COLUMN gap_pieces.state_id IS 'what the launching thread does, in wait_chains; NULL where nothing is known of it';
COMMENT ON COLUMN gap_pieces.range_id IS 'innermost NVTX range of the process''s main thread, in nvtx_events; NULL outside of all';
