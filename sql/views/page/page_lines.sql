-- One row for each run of consecutive samples that say the same, of the threads that a page shows: Python samples on one line,
-- and CPU samples in one function. A CPU sample stands for its thread's time as a Python sample does, but only while the thread
-- runs: none is taken while it waits.
-- reads: trace.cpu_samples, trace.page_threads, trace.sample_spans, trace.spanned
CREATE VIEW page_lines AS
WITH spans AS (
    SELECT
        'line' AS shows,
        global_tid,
        start_ns,
        end_ns,
        -- without the folders above, which tell whose machine it was
        format('{}:{} in {}', regexp_extract(file, '([^/]+/)?[^/]+$'), line, function) AS name
    FROM trace.sample_spans
    UNION ALL
    SELECT
        'native',
        global_tid,
        at_ns,
        end_ns,
        coalesce(function || ' in ', '') || library
    FROM trace.spanned('trace.cpu_samples')
),

marked AS (
    SELECT
        s.*,
        coalesce(s.name <> lag(s.name) OVER thread OR s.start_ns > lag(s.end_ns) OVER thread, true) AS begins
    FROM spans AS s
    INNER JOIN trace.page_threads AS t ON t.global_tid = s.global_tid
    WINDOW thread AS (PARTITION BY s.shows, s.global_tid ORDER BY s.start_ns)
),

runs AS (
    -- CASE, since the time of FILTER over a window is quadratic
    SELECT *, count(CASE WHEN begins THEN 1 END) OVER (PARTITION BY shows, global_tid ORDER BY start_ns) AS run FROM marked
)

SELECT shows, global_tid, min(start_ns) AS start_ns, max(end_ns) AS end_ns, any_value(name) AS name, count(*) AS samples
FROM runs
GROUP BY shows, global_tid, run;

COMMENT ON VIEW page_lines IS 'consecutive samples that say the same, of the threads that a report shows';
COMMENT ON COLUMN page_lines.shows IS 'line for Python samples, native for CPU samples';
COMMENT ON COLUMN page_lines.start_ns IS 'time of the first sample, ns since the session began';
COMMENT ON COLUMN page_lines.end_ns IS 'until when the last sample stands, ns';
COMMENT ON COLUMN page_lines.name IS 'of Python samples file, line and function; of CPU samples function and library, or the library alone';
