-- What each launching thread, and each dispatcher, does at each instant: its calls that wait or work, flattened to the
-- innermost. Launches and the code between them are both `run` here; `segments` tells them apart. A brief wait or file call
-- does not end the code around it.
-- reads: brief_wait_ns, flatten, thread_events
CREATE TABLE thread_states AS
WITH states AS (
    SELECT f.track AS global_tid, f.start_ns, f.end_ns, coalesce(e.state, 'run') AS state, e.name_id
    FROM flatten('thread_events') AS f
    LEFT JOIN thread_events AS e ON e.id = f.id
),

marked AS (
    SELECT *, state = 'run' OR (state IN ('lock', 'wait', 'profiler', 'io') AND end_ns - start_ns < brief_wait_ns()) AS in_code
    FROM states
),

-- DuckDB takes quadratic time for a FILTER in a window
numbered AS (
    SELECT *, count(CASE WHEN NOT in_code THEN 1 END) OVER (PARTITION BY global_tid ORDER BY start_ns) AS part
    FROM marked
)

SELECT
    CAST(row_number() OVER () AS INTEGER) AS state_id,
    global_tid,
    start_ns,
    end_ns,
    state,
    name_id,
    CASE WHEN state = 'run' THEN min(start_ns) OVER code ELSE start_ns END AS since_ns,
    CASE WHEN state = 'run' THEN max(end_ns) OVER code ELSE end_ns END AS until_ns
FROM numbered
WINDOW code AS (PARTITION BY global_tid, part, in_code);

COMMENT ON TABLE thread_states IS 'the timeline of each launching thread and each dispatcher, flattened to its innermost call, without holes from the first call to the last';
COMMENT ON COLUMN thread_states.state_id IS 'unique number';
COMMENT ON COLUMN thread_states.state IS 'run (code and launches), sync, upload (blocking host-to-device copy), memory, migration, module, stream_wait, host_function, other (API calls that cost little), io, lock, wait, sleep, off_cpu (it could run, and had no core), not_begun (others were at work then) or profiler';
COMMENT ON COLUMN thread_states.name_id IS 'the call that makes the state, in strings; NULL for run';
COMMENT ON COLUMN thread_states.since_ns IS 'start of the code that this is part of, brief waits in it included, ns; as start_ns for other states';
COMMENT ON COLUMN thread_states.until_ns IS 'end of that code, ns; as end_ns for other states';
