-- One row for each activity of the window that a replay can run again. An activity whose launch is not in the trace cannot be
-- replayed. Where each launch waits for its kernel, the wait is a call of its own in replay_waits.
-- reads: blocking_calls, blocking_launches, collectives, copies, read_back_bytes, sent_downloads, window_activities
CREATE VIEW replay_activities AS
SELECT
    a.activity_id,
    a.kind,
    a.pid,
    a.gpu,
    a.stream,
    a.global_tid,
    a.start_ns,
    a.end_ns,
    a.launch_start_ns,
    coalesce(b.waits_from_ns, a.launch_end_ns) AS launch_end_ns,
    coalesce(k.all_arrived_ns, a.start_ns) AS all_arrived_ns,
    coalesce(c.direction, '') AS direction,
    CASE
        WHEN x.activity_id IS NOT NULL THEN 'sent'
        WHEN c.direction = 'Device-to-Host' AND c.bytes <= read_back_bytes() THEN 'read_back'
        WHEN c.direction = 'Device-to-Host' THEN 'results'
        WHEN starts_with(c.direction, 'Host-to-') THEN 'host_copy'
        ELSE ''
    END AS role,
    coalesce(c.pageable, false) AS pageable,
    w.start_ns IS NOT NULL AS blocking,
    -- the window may cut a copy
    coalesce(CAST(c.bytes * ((a.end_ns - a.start_ns) / greatest(c.end_ns - c.start_ns, 1)) AS BIGINT), 0) AS bytes
FROM window_activities AS a
LEFT JOIN copies AS c ON c.activity_id = a.activity_id
LEFT JOIN sent_downloads AS x ON x.activity_id = a.activity_id
LEFT JOIN collectives AS k ON k.activity_id = a.activity_id
LEFT JOIN blocking_launches AS b ON b.global_tid = a.global_tid AND b.launch_start_ns = a.launch_start_ns
LEFT JOIN (SELECT DISTINCT global_tid, start_ns, end_ns FROM blocking_calls) AS w
    ON w.global_tid = a.global_tid AND w.start_ns = a.launch_start_ns AND w.end_ns = a.launch_end_ns
WHERE a.launch_start_ns IS NOT NULL;

COMMENT ON VIEW replay_activities IS 'activities of the window that a replay can run again';
COMMENT ON COLUMN replay_activities.pid IS 'process that launched it';
COMMENT ON COLUMN replay_activities.global_tid IS 'the launching thread';
COMMENT ON COLUMN replay_activities.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN replay_activities.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN replay_activities.launch_end_ns IS 'CPU end of the launching call, or when it begins to wait for its activity, ns';
COMMENT ON COLUMN replay_activities.all_arrived_ns IS 'when the last rank came to a collective, ns; the start of any other activity';
COMMENT ON COLUMN replay_activities.direction IS 'of a copy, as in copies; empty for all else';
COMMENT ON COLUMN replay_activities.role IS 'of a copy: read_back (small, to be looked at), results (any other to the host), host_copy (from the host), sent (as in sent_downloads); empty for all else';
COMMENT ON COLUMN replay_activities.pageable IS 'true for a copy from or to pageable memory';
COMMENT ON COLUMN replay_activities.blocking IS 'true for a copy whose call waits for it';
COMMENT ON COLUMN replay_activities.bytes IS 'what a copy moves in the window, bytes';
