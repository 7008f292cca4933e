-- One row where a launching thread goes on for long after the GPU's last activity, until it waits for the GPU or frees memory:
-- what it does until then is in no step. Shorter than a twentieth of what was recorded, it hardly matters. The longest pause
-- between two calls counts, since the call of the last copy may end after it.
-- reads: analysed_time, call_families, calls, launching_threads
CREATE VIEW unanalysed_end AS
WITH later AS (
    SELECT c.name_id, c.start_ns - greatest(r.end_ns, coalesce(lag(c.end_ns) OVER (ORDER BY c.start_ns), 0)) AS pause_ns
    FROM calls AS c, analysed_time AS r
    WHERE c.end_ns >= r.end_ns AND c.global_tid IN (SELECT global_tid FROM launching_threads)
)

SELECT f.name AS call, l.pause_ns
FROM later AS l
INNER JOIN call_families AS f ON f.string_id = l.name_id
CROSS JOIN analysed_time AS r
WHERE f.family IN ('sync', 'memory') AND l.pause_ns >= 0.05 * (r.end_ns - r.start_ns)
ORDER BY l.pause_ns DESC
LIMIT 1;

COMMENT ON VIEW unanalysed_end IS 'what a program does for long after the GPU''s last activity: at most one row';
COMMENT ON COLUMN unanalysed_end.call IS 'the call in which it then waits, or frees memory';
COMMENT ON COLUMN unanalysed_end.pause_ns IS 'for how long it goes on until then, ns';
