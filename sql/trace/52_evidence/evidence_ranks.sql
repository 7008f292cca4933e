-- Which GPU waited for which one in collectives: the three pairs that cost most.
-- reads: collectives, window_segments
CREATE TABLE evidence_ranks AS
SELECT s.cause, s.gpu, c.last_gpu, count(DISTINCT c.activity_id) AS times, CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
FROM window_segments AS s
INNER JOIN collectives AS c ON c.activity_id = s.activity_id AND s.end_ns <= c.all_arrived_ns
GROUP BY s.cause, s.gpu, c.last_gpu
ORDER BY lost_ns DESC, s.gpu, c.last_gpu
LIMIT 3;

COMMENT ON TABLE evidence_ranks IS 'which GPU waited for which in collectives, the three worst pairs';
COMMENT ON COLUMN evidence_ranks.gpu IS 'the GPU that waited';
COMMENT ON COLUMN evidence_ranks.last_gpu IS 'the GPU that came last';
COMMENT ON COLUMN evidence_ranks.times IS 'number of collectives';
COMMENT ON COLUMN evidence_ranks.lost_ns IS 'time waited with nothing computing, ns';
