-- Streams on which a rank both communicates and computes. On such a stream communication and compute cannot overlap.
-- reads: rank_gpus, window_activities
CREATE VIEW rank_shared_streams AS
SELECT gpu, stream
FROM window_activities
WHERE gpu IN (SELECT gpu FROM rank_gpus)
GROUP BY gpu, pid, stream
HAVING bool_or(kind = 'communication') AND bool_or(kind = 'compute');

COMMENT ON VIEW rank_shared_streams IS 'streams on which a rank both communicates and computes in the window';
COMMENT ON COLUMN rank_shared_streams.gpu IS 'physical GPU: the rank';
