-- What each launching thread does at each instant: its calls that wait or work, flattened to the innermost. Launches and the
-- code between them are both `run` here; `segments` tells them apart.
-- reads: flatten, thread_events
CREATE TABLE thread_states AS
SELECT
    CAST(row_number() OVER () AS INTEGER) AS state_id,
    f.track AS global_tid,
    f.start_ns,
    f.end_ns,
    coalesce(e.state, 'run') AS state,
    e.name_id
FROM flatten('thread_events') AS f
LEFT JOIN thread_events AS e ON e.id = f.id;

COMMENT ON TABLE thread_states IS 'each launching thread''s timeline, flattened to its innermost call, without holes from the first call to the last';
COMMENT ON COLUMN thread_states.state_id IS 'unique number';
COMMENT ON COLUMN thread_states.global_tid IS 'thread, in threads';
COMMENT ON COLUMN thread_states.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN thread_states.end_ns IS 'end, ns';
COMMENT ON COLUMN thread_states.state IS 'run (code and launches), sync, upload (blocking host-to-device copy), memory, migration, module, stream_wait, host_function, other (API calls that cost little), io, lock, wait, sleep, off_cpu (it could run, and had no core) or profiler';
COMMENT ON COLUMN thread_states.name_id IS 'the call that makes the state, in strings; NULL for run';
