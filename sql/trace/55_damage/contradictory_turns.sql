-- One row where context switches of a GPU contradict its activities: each starts in a turn of its own context, which is that in
-- whose turns most activities of its process start. Of two processes on an H100 that took turns of 2 ms, 27 of 19,046 activities
-- of one did not; 0.5 % is allowed.
-- reads: activities, gpu_turns
CREATE VIEW contradictory_turns AS
WITH starts AS (
    SELECT a.gpu, a.pid, CASE WHEN a.start_ns < t.end_ns THEN t.context END AS context
    FROM (SELECT gpu, pid, start_ns FROM activities WHERE EXISTS (FROM gpu_turns)) AS a
    ASOF LEFT JOIN (FROM gpu_turns WHERE start_ns IS NOT NULL) AS t ON t.gpu = a.gpu AND a.start_ns >= t.start_ns
),

counted AS (
    SELECT
        gpu,
        pid,
        sum(count(*)) OVER process AS activities,
        coalesce(max(CASE WHEN context IS NOT NULL THEN count(*) END) OVER process, 0) AS in_their_context
    FROM starts
    GROUP BY gpu, pid, context
    WINDOW process AS (PARTITION BY gpu, pid)
),

added AS (
    SELECT CAST(sum(activities - in_their_context) AS BIGINT) AS "rows", CAST(sum(activities) AS BIGINT) AS all_rows
    FROM (SELECT DISTINCT gpu, pid, activities, in_their_context FROM counted)
)

SELECT 'GPU activities that start outside of the turns of their context' AS kind, "rows", all_rows
FROM added
WHERE "rows" > 0.005 * all_rows;

COMMENT ON VIEW contradictory_turns IS 'GPU context switches that contradict the activities; empty for a sound trace';
COMMENT ON COLUMN contradictory_turns.kind IS 'the rows, in words';
COMMENT ON COLUMN contradictory_turns."rows" IS 'number of them';
COMMENT ON COLUMN contradictory_turns.all_rows IS 'number of all such rows';
