-- The segments of gaps that end when a transfer of Gloo does, in which the thread may have waited for it: it waits, it sends, or
-- it seems to run for long, because the call in which a thread waits for Gloo is not recorded. A trace with context switches
-- shows which threads run.
-- reads: core_switches, cpu_transfers, gaps, os_call_kinds, own_work_ns, segments
CREATE TABLE segments_until_transfers AS
SELECT s.segment_id AS id, s.pid AS track, s.start_ns, s.end_ns, s.state = 'io' AS sends
FROM (SELECT * FROM segments WHERE pid IN (SELECT track FROM cpu_transfers)) AS s
INNER JOIN gaps AS g ON g.gap_id = s.gap_id
ASOF INNER JOIN cpu_transfers AS t ON t.track = s.pid AND g.end_ns >= t.end_ns
WHERE
    g.end_ns - t.end_ns < own_work_ns()
    AND CASE s.state
        WHEN 'wait' THEN true
        WHEN 'run'
            THEN s.end_ns - s.start_ns >= own_work_ns() AND s.on_global_tid NOT IN (SELECT global_tid FROM core_switches)
        WHEN 'io' THEN s.name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'send' AND name <> 'write')
        ELSE false
    END;

COMMENT ON TABLE segments_until_transfers IS 'segments that may be waits for a transfer of Gloo';
COMMENT ON COLUMN segments_until_transfers.id IS 'segment_id of segments';
COMMENT ON COLUMN segments_until_transfers.sends IS 'true where the thread itself sends';
