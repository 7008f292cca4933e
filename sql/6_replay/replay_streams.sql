-- Streams whose ops waited for another stream, or for a host function, while nothing ran.
CREATE VIEW replay_streams AS
SELECT DISTINCT o.stream
FROM settled AS s
INNER JOIN ops AS o ON o.op_id = s.gap_id
INNER JOIN replay_window AS w ON w.pid = o.pid
WHERE s.cause = 'stream_dependency';

COMMENT ON VIEW replay_streams IS 'streams that lose time to a dependency';
COMMENT ON COLUMN replay_streams.stream IS 'CUDA stream';
