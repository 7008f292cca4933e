-- What each submitter does at each instant: its calls that wait or work, flattened to the innermost. Launches
-- are not states: a thread that launches and one that runs code between two launches are both submitting.
CREATE TABLE thread_events AS
WITH events AS (
    SELECT global_tid, start_ns, end_ns, name_id, family AS state
    FROM calls
    -- 10 us: looking a loaded kernel up takes 0.2 us, loading one takes 100 us and more
    WHERE family NOT IN ('launch', 'copy', 'sync') AND (family <> 'module' OR end_ns - start_ns > 10000)
    UNION ALL
    SELECT
        global_tid, start_ns, end_ns, name_id,
        CASE WHEN waits_for = 'upload' THEN 'upload' ELSE 'sync' END
    FROM blocking_calls
    WHERE waits_for <> 'memory'
    UNION ALL
    -- 20 us: waking a thread takes longer, so what is had sooner was not waited for (the Python sampler stops a thread
    -- for 4 to 9 us every ms, in pthread_cond_wait and for the GIL)
    SELECT global_tid, start_ns, end_ns, name_id, kind
    FROM os_calls
    WHERE kind IS NOT NULL AND (kind NOT IN ('lock', 'wait') OR end_ns - start_ns > 20000)
    UNION ALL
    SELECT global_tid, start_ns, end_ns, name_id, 'lock' FROM gil_ranges WHERE waiting AND end_ns - start_ns > 20000
    UNION ALL
    SELECT global_tid, start_ns, end_ns, name_id, 'profiler' FROM profiler_overheads
)

SELECT
    row_number() OVER (ORDER BY e.global_tid, e.start_ns, e.end_ns, e.state, e.name_id) AS event_id,
    e.global_tid AS track,
    e.start_ns,
    e.end_ns,
    e.name_id,
    e.state
FROM events AS e
WHERE e.global_tid IN (SELECT global_tid FROM submitters);

CREATE TABLE thread_states AS
SELECT f.track AS global_tid, f.start_ns, f.end_ns, coalesce(e.state, 'run') AS state, e.name_id, f.innermost AS event_id
FROM flatten('thread_events') AS f
LEFT JOIN thread_events AS e ON e.event_id = f.innermost;

COMMENT ON TABLE thread_events IS 'calls of the submitters that wait or work, before flattening';
COMMENT ON COLUMN thread_events.event_id IS 'number in order of thread and start';
COMMENT ON COLUMN thread_events.track IS 'thread, in threads';
COMMENT ON COLUMN thread_events.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN thread_events.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN thread_events.name_id IS 'name of the call, in strings';
COMMENT ON COLUMN thread_events.state IS 'as in thread_states';
COMMENT ON TABLE thread_states IS 'each submitter''s timeline, flattened to its innermost state; tiles from its first event to its last';
COMMENT ON COLUMN thread_states.global_tid IS 'thread, in threads';
COMMENT ON COLUMN thread_states.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN thread_states.end_ns IS 'end, ns';
COMMENT ON COLUMN thread_states.state IS 'run (code and launches), sync, upload (blocking host-to-device copy), memory, module, stream_wait, host_function, other (API calls that cost little), io, lock, wait, sleep or profiler';
COMMENT ON COLUMN thread_states.name_id IS 'the call that makes the state, in strings; NULL for run';
COMMENT ON COLUMN thread_states.event_id IS 'the event that makes the state; NULL for run';
