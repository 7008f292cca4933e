-- One row for the gap that makes up more than half of all lost time, and is as long as a finding, where no row tells why: its
-- cause is inferred. A clock that jumps looks like that, and a program that is stopped. In 150 sound traces, a single gap makes
-- up 44 % at most.
-- reads: causes, window, window_segments
CREATE TABLE lone_loss AS
SELECT s.gap_id, CAST(sum(CASE WHEN s.basis = 'inferred' THEN s.end_ns - s.start_ns END) AS BIGINT) AS inferred_ns
FROM window_segments AS s
INNER JOIN causes AS c ON c.cause = s.cause
CROSS JOIN "window" AS w
WHERE w.steps >= 5
GROUP BY s.gap_id
HAVING
    s.gap_id IS NOT NULL AND inferred_ns >= max(c.finding_share) * any_value(w.length_ns)
    AND 2 * inferred_ns > (SELECT sum(end_ns - start_ns) FROM window_segments);

COMMENT ON TABLE lone_loss IS 'the gap that makes up most of what is lost, where its cause is inferred';
COMMENT ON COLUMN lone_loss.inferred_ns IS 'how much of it is inferred, ns';
