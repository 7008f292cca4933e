-- One row for the gap that makes up more than half of all lost time, where no row tells why: its cause is inferred. A clock that
-- jumps looks like that, and a program that is stopped. In 150 sound traces, a single gap makes up 44 % at most.
-- reads: window, window_segments
CREATE TABLE lone_loss AS
SELECT gap_id, CAST(sum(CASE WHEN basis = 'inferred' THEN end_ns - start_ns END) AS BIGINT) AS inferred_ns
FROM window_segments
WHERE (SELECT steps FROM "window") >= 5
GROUP BY gap_id
HAVING gap_id IS NOT NULL AND 2 * inferred_ns > (SELECT sum(end_ns - start_ns) FROM window_segments);

COMMENT ON TABLE lone_loss IS 'the gap that makes up most of what is lost, where its cause is inferred';
COMMENT ON COLUMN lone_loss.inferred_ns IS 'how much of it is inferred, ns';
