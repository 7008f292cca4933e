-- One row: the time that is cut into segments. It is the window that was asked for, else all that was recorded: from the first
-- activity or step to the last. Pages that move before the first or after the last of what was launched are no GPU work: the CPU
-- looks at managed memory there.
-- reads: activities, migrations, options, steps
CREATE TABLE analysed_time AS
WITH recorded AS (
    SELECT min(start_ns) AS start_ns, max(end_ns) AS end_ns
    FROM (
        SELECT start_ns, end_ns FROM activities WHERE activity_id NOT IN (SELECT activity_id FROM migrations)
        UNION ALL
        SELECT start_ns, end_ns FROM steps
    )
),

asked AS (
    SELECT min(s.start_ns) AS start_ns, max(s.end_ns) AS end_ns
    FROM steps AS s, options AS o
    WHERE
        (o.window_from_step IS NOT NULL OR o.window_to_step IS NOT NULL)
        AND s.step BETWEEN coalesce(o.window_from_step, s.step) AND coalesce(o.window_to_step, s.step)
)

SELECT
    CAST(coalesce(o.window_from_ns, a.start_ns, r.start_ns) AS BIGINT) AS start_ns,
    CAST(coalesce(o.window_to_ns, a.end_ns, r.end_ns) AS BIGINT) AS end_ns
FROM options AS o, asked AS a, recorded AS r;

COMMENT ON TABLE analysed_time IS 'the time that is cut into segments: one row';
