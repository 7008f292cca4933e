-- The files in whose accesses the time of each cause was lost: the two that cost most.
-- reads: file_accesses, pid_of, tid_of, window_segments
CREATE TABLE evidence_files AS
WITH accesses AS (
    SELECT pid, tid, start_ns, max(end_ns) AS end_ns, min(file) AS file, max(bytes) AS bytes
    FROM file_accesses
    GROUP BY pid, tid, start_ns
),

lost AS (
    SELECT s.cause, a.pid, a.tid, a.start_ns, a.file, a.bytes, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM (SELECT * FROM window_segments WHERE state = 'io' AND EXISTS (FROM accesses)) AS s
    ASOF INNER JOIN accesses AS a
        ON a.pid = pid_of(s.on_global_tid) AND a.tid = tid_of(s.on_global_tid) AND s.end_ns > a.start_ns
    WHERE a.end_ns > s.start_ns
    GROUP BY ALL
)

SELECT cause, file, count(*) AS accesses, TRY_CAST(sum(bytes) AS BIGINT) AS bytes, CAST(sum(lost_ns) AS BIGINT) AS lost_ns
FROM lost
GROUP BY cause, file
QUALIFY row_number() OVER (PARTITION BY cause ORDER BY sum(lost_ns) DESC, file) <= 2
ORDER BY cause, lost_ns DESC, file;

COMMENT ON TABLE evidence_files IS 'the files in whose accesses the time of each cause was lost, the two that cost most';
COMMENT ON COLUMN evidence_files.accesses IS 'number of accesses in which time was lost';
COMMENT ON COLUMN evidence_files.bytes IS 'size of what was read or written in them, bytes';
COMMENT ON COLUMN evidence_files.lost_ns IS 'time lost in them, ns';
