-- One row for each activity of the window that a replay can run again. An activity whose launch is not in the trace cannot be
-- replayed.
-- reads: collectives, copies, window_activities
CREATE VIEW replay_activities AS
SELECT
    o.activity_id,
    o.kind,
    o.pid,
    o.gpu,
    o.stream,
    o.global_tid,
    o.start_ns,
    o.end_ns,
    o.launch_start_ns,
    o.launch_end_ns,
    coalesce(k.all_arrived_ns, o.start_ns) AS all_arrived_ns,
    coalesce(c.direction, '') AS direction,
    coalesce(c.pageable, false) AS pageable,
    coalesce(c.bytes, 0) AS bytes
FROM window_activities AS o
LEFT JOIN copies AS c ON c.activity_id = o.activity_id
LEFT JOIN collectives AS k ON k.activity_id = o.activity_id
WHERE o.launch_start_ns IS NOT NULL;

COMMENT ON VIEW replay_activities IS 'activities of the window that a replay can run again';
COMMENT ON COLUMN replay_activities.activity_id IS 'as in activities';
COMMENT ON COLUMN replay_activities.kind IS 'compute, communication or copy';
COMMENT ON COLUMN replay_activities.pid IS 'process that launched it';
COMMENT ON COLUMN replay_activities.gpu IS 'physical GPU';
COMMENT ON COLUMN replay_activities.stream IS 'CUDA stream';
COMMENT ON COLUMN replay_activities.global_tid IS 'the launching thread';
COMMENT ON COLUMN replay_activities.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN replay_activities.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN replay_activities.launch_start_ns IS 'CPU start of the launching call, ns';
COMMENT ON COLUMN replay_activities.launch_end_ns IS 'CPU end of the launching call, ns';
COMMENT ON COLUMN replay_activities.all_arrived_ns IS 'when the last rank came to a collective, ns; the start of any other activity';
COMMENT ON COLUMN replay_activities.direction IS 'of a copy, as in copies; empty for all else';
COMMENT ON COLUMN replay_activities.pageable IS 'true for a copy from or to pageable memory';
COMMENT ON COLUMN replay_activities.bytes IS 'size of a copy, bytes';
