-- One row for each way in which context switches of a GPU contradict its activities. Each activity starts in a turn of its own
-- context, which is that in whose turns most activities of its process start: of two processes on an H100 that took turns of
-- 2 ms, 27 of 19,046 activities of one did not; 0.5 % is allowed. While an activity runs, its context pauses only for another:
-- on an H200, two processes of a trace changed every 2.2 ms, and for 85 us neither had the GPU.
-- reads: activities, few_activities, gpu_turns, turn_pauses
CREATE TABLE contradictory_turns AS
WITH counted AS (
    SELECT a.gpu, a.pid, CASE WHEN a.start_ns < t.end_ns THEN t.context END AS context, count(*) AS activities
    FROM (SELECT gpu, pid, start_ns FROM activities WHERE EXISTS (FROM gpu_turns)) AS a
    ASOF LEFT JOIN (FROM gpu_turns WHERE start_ns IS NOT NULL) AS t ON t.gpu = a.gpu AND a.start_ns >= t.start_ns
    GROUP BY ALL
),

added AS (
    SELECT sum(activities) AS activities, coalesce(max(CASE WHEN context IS NOT NULL THEN activities END), 0) AS in_their_context
    FROM counted
    GROUP BY gpu, pid
)

SELECT
    'GPU activities that start outside of the turns of their context' AS kind,
    sum(activities - in_their_context) AS "rows",
    sum(activities) AS all_rows
FROM added
HAVING "rows" > 0.005 * all_rows
UNION ALL
SELECT 'pauses of a running activity in which nobody has the GPU', count(*) FILTER (a.end_ns >= p.end_ns), count(*)
FROM (FROM turn_pauses WHERE NOT of_others AND NOT changes_context) AS p
ASOF LEFT JOIN activities AS a ON a.gpu = p.gpu AND p.start_ns > a.start_ns
HAVING count(*) FILTER (a.end_ns >= p.end_ns) > few_activities();

COMMENT ON TABLE contradictory_turns IS 'GPU context switches that contradict the activities; empty for a sound trace';
COMMENT ON COLUMN contradictory_turns.kind IS 'the rows, in words';
