-- One row for each access of a thread to a file: opening, reading, writing or closing it. Newer versions of Nsight Systems record
-- them. An id that stands for several files of a process names none of them.
-- reads: is_interval, pid_of, tid_of, export.OSRT_FILE_ACCESS_DESCRIPTORS, export.OSRT_FILE_ACCESS_EVENTS
CREATE VIEW file_accesses AS
WITH files AS (
    SELECT
        fileAccessId,
        -- a process is written as its id, or with the bits of a thread around it
        CASE WHEN processId >= 16777216 THEN pid_of(processId) ELSE processId END AS pid,
        min(filePath) AS file
    FROM export.OSRT_FILE_ACCESS_DESCRIPTORS
    GROUP BY ALL
    HAVING count(DISTINCT filePath) = 1
)

SELECT
    f.pid,
    tid_of(e.threadId) AS tid,
    e.startedAt AS start_ns,
    e.endedAt AS end_ns,
    f.file,
    CASE WHEN e.bytesProcessed > 0 THEN e.bytesProcessed ELSE 0 END AS bytes
FROM export.OSRT_FILE_ACCESS_EVENTS AS e
INNER JOIN files AS f ON f.fileAccessId = e.fileAccessId
WHERE is_interval(e.startedAt, e.endedAt);

COMMENT ON VIEW file_accesses IS 'accesses to files; only traces of newer versions have them';
COMMENT ON COLUMN file_accesses.tid IS 'thread id';
COMMENT ON COLUMN file_accesses.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN file_accesses.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN file_accesses.file IS 'path of the file';
COMMENT ON COLUMN file_accesses.bytes IS 'size of what was read or written, bytes; 0 where the file was opened or closed';
