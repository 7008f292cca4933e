-- One row for each copy to the host that a collective on the CPU sends: it begins after the copy's call, and before the thread
-- launches anything else. The wait for such a copy cannot be left out.
-- reads: activities, calls, copies, cpu_collectives
CREATE TABLE sent_downloads AS
WITH downloads AS (
    SELECT a.activity_id, a.pid, a.global_tid, a.launch_start_ns, a.launch_end_ns
    FROM activities AS a
    INNER JOIN copies AS c ON c.activity_id = a.activity_id
    WHERE c.direction = 'Device-to-Host' AND a.launch_end_ns IS NOT NULL AND EXISTS (FROM cpu_collectives)
),

sent AS (
    SELECT d.*, k.start_ns AS sent_ns
    FROM downloads AS d
    ASOF INNER JOIN cpu_collectives AS k ON k.track = d.pid AND d.launch_end_ns <= k.start_ns
)

SELECT s.activity_id, s.global_tid, s.launch_start_ns
FROM sent AS s
ASOF LEFT JOIN (SELECT global_tid, start_ns FROM calls WHERE family IN ('launch', 'copy')) AS l
    ON l.global_tid = s.global_tid AND s.launch_end_ns <= l.start_ns
WHERE l.start_ns IS NULL OR s.sent_ns < l.start_ns;

COMMENT ON TABLE sent_downloads IS 'copies to the host that a collective on the CPU sends';
COMMENT ON COLUMN sent_downloads.activity_id IS 'the copy, in activities';
COMMENT ON COLUMN sent_downloads.global_tid IS 'thread that launched it, in threads';
COMMENT ON COLUMN sent_downloads.launch_start_ns IS 'CPU start of its call, ns since the session began';
