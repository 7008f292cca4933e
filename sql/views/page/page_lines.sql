-- One row for each run of consecutive Python samples on one line, of the threads that a page shows. A sample stands for the
-- time until the next one of its thread, but for no longer than two of the usual distances.
-- reads: trace.page_threads, trace.python_samples
CREATE VIEW page_lines AS
WITH samples AS (
    SELECT
        s.global_tid,
        s.at_ns,
        -- without the folders above, which tell whose machine it was
        format('{}:{} in {}', regexp_extract(s.file, '([^/]+/)?[^/]+$'), s.line, s.function) AS name,
        lead(s.at_ns) OVER thread AS next_ns,
        lag(s.at_ns) OVER thread AS last_ns
    FROM trace.python_samples AS s
    INNER JOIN trace.page_threads AS t ON t.global_tid = s.global_tid
    WINDOW thread AS (PARTITION BY s.global_tid ORDER BY s.at_ns)
),

usual AS (
    SELECT global_tid, 2 * median(next_ns - at_ns) AS longest_ns FROM samples GROUP BY global_tid
),

marked AS (
    SELECT
        s.*,
        CAST(least(coalesce(s.next_ns, s.at_ns), s.at_ns + coalesce(u.longest_ns, 0)) AS BIGINT) AS until_ns,
        coalesce(s.name <> lag(s.name) OVER thread OR s.at_ns - s.last_ns > u.longest_ns, true) AS begins
    FROM samples AS s
    INNER JOIN usual AS u ON u.global_tid = s.global_tid
    WINDOW thread AS (PARTITION BY s.global_tid ORDER BY s.at_ns)
),

runs AS (
    -- CASE, since the time of FILTER over a window is quadratic
    SELECT *, count(CASE WHEN begins THEN 1 END) OVER (PARTITION BY global_tid ORDER BY at_ns) AS run FROM marked
)

SELECT global_tid, min(at_ns) AS start_ns, max(until_ns) AS end_ns, any_value(name) AS name, count(*) AS samples
FROM runs
GROUP BY global_tid, run
HAVING max(until_ns) > min(at_ns);

COMMENT ON VIEW page_lines IS 'consecutive Python samples of one line, of the threads that a report shows';
COMMENT ON COLUMN page_lines.global_tid IS 'thread, in threads';
COMMENT ON COLUMN page_lines.start_ns IS 'time of the first sample, ns since the session began';
COMMENT ON COLUMN page_lines.end_ns IS 'until when the last sample stands, ns';
COMMENT ON COLUMN page_lines.name IS 'file, line and function';
COMMENT ON COLUMN page_lines.samples IS 'number of samples';
