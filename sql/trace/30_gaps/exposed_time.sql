-- Exposed communication and exposed copies: the time in which they run and nothing computes. Where both run, communication
-- counts, since other ranks wait for it. Communication is cut where the last rank came: until then it waited, and from then on
-- it moved data.
-- reads: collectives, cover, flatten, intersect_tiles, window_activities
CREATE TABLE exposed_time AS
WITH transfers AS (
    SELECT activity_id AS id, kind, gpu AS track, start_ns, end_ns FROM window_activities WHERE kind <> 'compute'
),

compute AS (
    SELECT gpu AS track, start_ns, end_ns
    FROM window_activities
    WHERE kind = 'compute' AND gpu IN (SELECT track FROM transfers)
),

communication AS (
    SELECT id, track, start_ns, end_ns FROM transfers WHERE kind = 'communication'
),

copies_alone AS (
    SELECT id, track, start_ns, end_ns FROM transfers WHERE kind = 'copy'
),

computing AS (
    FROM cover('compute')
),

compute_or_communication AS (
    SELECT track, start_ns, end_ns FROM compute
    UNION ALL
    SELECT track, start_ns, end_ns FROM communication
),

working AS (
    FROM cover('compute_or_communication')
),

innermost_communication AS (
    SELECT * FROM flatten('communication') WHERE id IS NOT NULL
),

innermost_copies AS (
    SELECT * FROM flatten('copies_alone') WHERE id IS NOT NULL
),

communication_alone AS (
    SELECT * FROM intersect_tiles('innermost_communication', 'computing') WHERE tile_id IS NULL
),

exposed_copies AS (
    SELECT * FROM intersect_tiles('innermost_copies', 'working') WHERE tile_id IS NULL
),

parts AS (
    SELECT e.track, e.start_ns, least(e.end_ns, c.all_arrived_ns) AS end_ns, 'communication' AS kind, e.id
    FROM communication_alone AS e
    INNER JOIN collectives AS c ON c.activity_id = e.id
    UNION ALL
    SELECT e.track, greatest(e.start_ns, c.all_arrived_ns), e.end_ns, 'communication', e.id
    FROM communication_alone AS e
    INNER JOIN collectives AS c ON c.activity_id = e.id
    UNION ALL
    SELECT track, start_ns, end_ns, 'copy', id
    FROM exposed_copies
)

SELECT track AS gpu, start_ns, end_ns, kind, id AS activity_id
FROM parts
WHERE end_ns > start_ns;

COMMENT ON TABLE exposed_time IS 'exposed communication and exposed copies: while they run, nothing computes';
COMMENT ON COLUMN exposed_time.gpu IS 'physical GPU';
COMMENT ON COLUMN exposed_time.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN exposed_time.end_ns IS 'end, ns';
COMMENT ON COLUMN exposed_time.kind IS 'communication or copy';
COMMENT ON COLUMN exposed_time.activity_id IS 'the activity, in activities; of several at once the one that began last';
