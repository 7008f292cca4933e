-- One row for each time in which other programs had a GPU, by recorded context switches: from the end of a turn of this trace to
-- the start of its next, if another program had a turn in between. So the changes of context count, too (0.2 ms of each 2.4 ms
-- on an H100). A context is the trace's own if a hundredth of the GPU's activities or more start in its turns. Not any: of two
-- processes on an H100 that took turns of 2 ms, 27 of 19,046 activities of one seemed to start in turns of the other.
-- reads: activities, gpu_turns
CREATE TABLE interruptions AS
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
    SELECT t.gpu, t.start_ns, t.end_ns, o.context IS NOT NULL AS is_own
    FROM gpu_turns AS t
    LEFT JOIN own AS o ON o.gpu = t.gpu AND o.context = t.context
),

pauses AS (
    SELECT
        gpu, end_ns AS start_ns,
        lead(start_ns) OVER (PARTITION BY gpu ORDER BY coalesce(start_ns, end_ns), coalesce(end_ns, start_ns)) AS end_ns
    FROM turns
    WHERE is_own
)

SELECT CAST(row_number() OVER () AS INTEGER) AS id, p.gpu AS track, p.start_ns, p.end_ns
FROM pauses AS p
ASOF INNER JOIN (FROM turns WHERE NOT is_own AND start_ns IS NOT NULL) AS t ON t.gpu = p.gpu AND p.end_ns > t.start_ns
WHERE t.start_ns >= p.start_ns;

COMMENT ON TABLE interruptions IS 'when other programs had a GPU, with the changes of context before and after; empty where GPU context switches were not traced';
COMMENT ON COLUMN interruptions.id IS 'unique number';
COMMENT ON COLUMN interruptions.track IS 'physical GPU';
COMMENT ON COLUMN interruptions.start_ns IS 'end of the turn of this trace before it, ns since the session began';
COMMENT ON COLUMN interruptions.end_ns IS 'start of the next turn of this trace, ns';
