-- GPU activities with names, the NVTX range in which each was launched, and how long it waited in its queue.
-- reads: trace.activities, trace.activity_names, trace.nvtx_paths, trace.nvtx_states, trace.thread_names
CREATE VIEW main.activities AS
SELECT
    a.* EXCLUDE (name_id, kind),
    a.kind,
    n.name,
    a.end_ns - a.start_ns AS length_ns,
    a.start_ns - a.launch_end_ns AS queued_ns,
    t.thread,
    t.process,
    CASE WHEN r.end_ns > a.launch_start_ns THEN p.path END AS nvtx
FROM trace.activities AS a
INNER JOIN trace.activity_names AS n ON n.activity_id = a.activity_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = a.global_tid
ASOF LEFT JOIN trace.nvtx_states AS r ON r.pid = a.pid AND a.launch_start_ns >= r.start_ns
LEFT JOIN trace.nvtx_paths AS p ON p.range_id = r.range_id;

COMMENT ON VIEW main.activities IS 'all activities, with names: kernels, memcpys, memsets and whole graphs';
COMMENT ON COLUMN main.activities.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.activities.queued_ns IS 'from the end of the launching call to its start, ns; negative where it started within the call';
COMMENT ON COLUMN main.activities.thread IS 'name of the launching thread';
COMMENT ON COLUMN main.activities.nvtx IS 'path of the NVTX range that was open on the main thread when it was launched';
