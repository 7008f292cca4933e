-- One row for each track, with its names. Viewers show only the tracks on which something is drawn.
-- reads: trace.devices, trace.gpus, trace.pid_of_gpu, trace.pid_of_steps, trace.processes, trace.stream_tracks, trace.threads
CREATE VIEW tracks AS
-- a title may be a whole command line, and its path may name a user
WITH programs AS (
    SELECT pid, regexp_extract(name, '^(?:\S*/)?(\S+)', 1) AS name FROM trace.processes
),

shared AS (
    SELECT gpu FROM trace.stream_tracks GROUP BY gpu HAVING count(DISTINCT pid) > 1
),

named AS (
    SELECT trace.pid_of_steps() AS pid, 'steps' AS process, 1 AS tid, 'steps' AS thread
    UNION ALL
    SELECT trace.pid_of_steps(), 'steps', 2, 'window'
    UNION ALL
    SELECT trace.pid_of_gpu(d.gpu), format('GPU {} {}', d.gpu, d.name), 1, 'lost time'
    FROM trace.devices AS d
    UNION ALL
    SELECT
        trace.pid_of_gpu(s.gpu),
        format('GPU {} {}', s.gpu, coalesce(g.name, 'GPU')),
        s.tid,
        CASE WHEN h.gpu IS NULL THEN format('stream {}', s.stream) ELSE format('stream {} of {}', s.stream, s.pid) END
    FROM trace.stream_tracks AS s
    LEFT JOIN trace.gpus AS g ON g.gpu = s.gpu
    LEFT JOIN shared AS h ON h.gpu = s.gpu
    UNION ALL
    SELECT t.pid, coalesce(p.name, 'process'), t.tid, coalesce(t.name, 'thread')
    FROM trace.threads AS t
    LEFT JOIN programs AS p ON p.pid = t.pid
)

SELECT *, row_number() OVER (ORDER BY pid < trace.pid_of_steps(), pid, tid) AS place
FROM named;

COMMENT ON VIEW tracks IS 'every track with its names, as a thread of a process';
COMMENT ON COLUMN tracks.pid IS 'process id, or a number beyond those of processes for a GPU and for the steps';
COMMENT ON COLUMN tracks.process IS 'name of the program without its folder and arguments, or of the GPU';
COMMENT ON COLUMN tracks.tid IS 'thread id, or the number of the track among those of its GPU';
COMMENT ON COLUMN tracks.thread IS 'name of the thread or track';
COMMENT ON COLUMN tracks.place IS 'place from the top: the steps, the GPUs, the processes';
