-- The segments in which a thread waits, in processes that communicate on the CPU. Gloo sends from the thread that asks for it,
-- too, and then lets it wait in a call that is not recorded, so that it seems to run.
-- reads: cpu_communication, cpu_transfers, os_call_kinds, own_work_ns, segments
CREATE VIEW waiting_segments AS
SELECT segment_id AS id, pid AS track, start_ns, end_ns
FROM segments
WHERE
    (state = 'wait' AND pid IN (SELECT track FROM cpu_communication))
    OR (
        pid IN (SELECT track FROM cpu_transfers)
        AND (
            (state = 'run' AND end_ns - start_ns >= own_work_ns())
            OR (state = 'io' AND name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'send'))
        )
    );

COMMENT ON VIEW waiting_segments IS 'waits in processes that carry collectives out on the CPU';
COMMENT ON COLUMN waiting_segments.id IS 'segment_id of segments';
COMMENT ON COLUMN waiting_segments.track IS 'process id';
COMMENT ON COLUMN waiting_segments.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN waiting_segments.end_ns IS 'end, ns';
