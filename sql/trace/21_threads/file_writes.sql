-- One row for each call in which a thread writes a file or flushes it. A pipe is written like a file, so that only threads count
-- that open or flush files as well.
-- reads: os_call_kinds, os_calls
CREATE TABLE file_writes AS
WITH named AS (
    SELECT
        o.pid,
        o.global_tid,
        o.start_ns,
        o.end_ns,
        regexp_matches(k.name, '^(p?writev?2?|fwrite|fflush)(64)?$') AS writes,
        regexp_matches(k.name, '^(fsync|fdatasync|sync|syncfs|sync_file_range|msync)(64)?$') AS flushes,
        regexp_matches(k.name, '^(f?open|openat|creat)(64)?$') AS opens
    FROM os_calls AS o
    INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id AND k.kind = 'io'
)

SELECT row_number() OVER () AS id, pid AS track, start_ns, end_ns
FROM named
WHERE (writes OR flushes) AND global_tid IN (SELECT global_tid FROM named WHERE opens OR flushes);

COMMENT ON TABLE file_writes IS 'calls that write files or flush them';
COMMENT ON COLUMN file_writes.track IS 'process id';
