-- One row for each run of consecutive Python samples on one line, of the threads that a page shows.
-- reads: trace.page_threads, trace.sample_spans
CREATE VIEW page_lines AS
WITH named AS (
    SELECT
        s.global_tid,
        s.start_ns,
        s.end_ns,
        -- without the folders above, which tell whose machine it was
        format('{}:{} in {}', regexp_extract(s.file, '([^/]+/)?[^/]+$'), s.line, s.function) AS name
    FROM trace.sample_spans AS s
    INNER JOIN trace.page_threads AS t ON t.global_tid = s.global_tid
),

marked AS (
    SELECT
        *,
        coalesce(name <> lag(name) OVER thread OR start_ns > lag(end_ns) OVER thread, true) AS begins
    FROM named
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns)
),

runs AS (
    -- CASE, since the time of FILTER over a window is quadratic
    SELECT *, count(CASE WHEN begins THEN 1 END) OVER (PARTITION BY global_tid ORDER BY start_ns) AS run FROM marked
)

SELECT global_tid, min(start_ns) AS start_ns, max(end_ns) AS end_ns, any_value(name) AS name, count(*) AS samples
FROM runs
GROUP BY global_tid, run;

COMMENT ON VIEW page_lines IS 'consecutive Python samples of one line, of the threads that a report shows';
COMMENT ON COLUMN page_lines.global_tid IS 'thread, in threads';
COMMENT ON COLUMN page_lines.start_ns IS 'time of the first sample, ns since the session began';
COMMENT ON COLUMN page_lines.end_ns IS 'until when the last sample stands, ns';
COMMENT ON COLUMN page_lines.name IS 'file, line and function';
COMMENT ON COLUMN page_lines.samples IS 'number of samples';
