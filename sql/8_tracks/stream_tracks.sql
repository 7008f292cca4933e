-- The tracks, as viewers of the Chrome trace format group them: every GPU is a process of its own whose threads are its streams,
-- and the steps stand above them.
-- pid_of gives 24 bits, so that no process of the trace has these numbers.
CREATE MACRO pid_of_steps() AS 16777216;
CREATE MACRO pid_of_gpu(gpu) AS 16777217 + gpu;

CREATE VIEW stream_tracks AS
WITH streams AS (
    SELECT DISTINCT gpu, pid, stream FROM layers.ops WHERE gpu = coalesce((SELECT device FROM layers.choices), gpu)
)

-- the first track of a GPU is its lost time
SELECT gpu, pid, stream, 1 + row_number() OVER (PARTITION BY gpu ORDER BY pid, stream) AS tid
FROM streams;

COMMENT ON VIEW stream_tracks IS 'the track of each stream';
COMMENT ON COLUMN stream_tracks.gpu IS 'physical GPU';
COMMENT ON COLUMN stream_tracks.pid IS 'process of the stream';
COMMENT ON COLUMN stream_tracks.stream IS 'CUDA stream';
COMMENT ON COLUMN stream_tracks.tid IS 'number of the track among those of the GPU';
