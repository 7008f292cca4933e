-- One row for each stream: its track. In a viewer of the Chrome trace format each GPU is shown as a process, and its streams
-- are the threads of that process.
-- reads: trace.activities, trace.options
CREATE VIEW stream_tracks AS
WITH streams AS (
    SELECT DISTINCT gpu, pid, stream FROM trace.activities WHERE gpu = coalesce((SELECT device FROM trace.options), gpu)
)

-- the first track of a GPU is its lost time
SELECT gpu, pid, stream, 1 + row_number() OVER (PARTITION BY gpu ORDER BY pid, stream) AS tid
FROM streams;

COMMENT ON VIEW stream_tracks IS 'the track of each stream';
COMMENT ON COLUMN stream_tracks.pid IS 'process of the stream';
COMMENT ON COLUMN stream_tracks.tid IS 'number of the track among those of the GPU';
