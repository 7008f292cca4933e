-- One row for each pause between two turns of the trace's own contexts on a GPU, by recorded context switches. A context is the
-- trace's own if a hundredth of the GPU's activities or more start in its turns. Not any: of two processes on an H100 that took
-- turns of 2 ms, 27 of 19,046 activities of one seemed to start in turns of the other.
-- reads: activities, gpu_turns
CREATE TABLE turn_pauses AS
WITH starts AS (
    SELECT gpu, start_ns, count(*) OVER (PARTITION BY gpu) AS all_starts FROM activities WHERE EXISTS (FROM gpu_turns)
),

own AS (
    SELECT t.gpu, t.context
    FROM starts AS s
    ASOF INNER JOIN gpu_turns AS t ON t.gpu = s.gpu AND s.start_ns >= t.start_ns
    WHERE s.start_ns < t.end_ns
    GROUP BY t.gpu, t.context
    HAVING count(*) >= 0.01 * any_value(s.all_starts)
),

turns AS (
    SELECT t.gpu, t.context, t.start_ns, t.end_ns, o.context IS NOT NULL AS is_own
    FROM gpu_turns AS t
    LEFT JOIN own AS o ON o.gpu = t.gpu AND o.context = t.context
),

pauses AS (
    SELECT
        gpu, end_ns AS start_ns, lead(start_ns) OVER in_order AS end_ns,
        lead(context) OVER in_order <> context AS changes_context
    FROM turns
    WHERE is_own
    WINDOW in_order AS (PARTITION BY gpu ORDER BY coalesce(start_ns, end_ns), coalesce(end_ns, start_ns))
)

SELECT p.gpu, p.start_ns, p.end_ns, p.changes_context, coalesce(t.start_ns >= p.start_ns, false) AS of_others
FROM pauses AS p
ASOF LEFT JOIN (FROM turns WHERE NOT is_own AND start_ns IS NOT NULL) AS t ON t.gpu = p.gpu AND p.end_ns > t.start_ns
WHERE p.end_ns > p.start_ns;

COMMENT ON TABLE turn_pauses IS 'pauses between turns of this trace on a GPU';
COMMENT ON COLUMN turn_pauses.start_ns IS 'end of the turn before, ns since the session began';
COMMENT ON COLUMN turn_pauses.end_ns IS 'start of the next, ns';
COMMENT ON COLUMN turn_pauses.changes_context IS 'true where the next turn is of another context of the trace, as of a second process';
COMMENT ON COLUMN turn_pauses.of_others IS 'true where another program had a turn in it';
