-- The exposed copies of each cause, by direction and kind of memory, without those that cost less than a twentieth of the first.
-- reads: copies, mentioned_share, window_segments
CREATE TABLE evidence_copies AS
WITH exposed AS (
    SELECT
        s.cause,
        c.activity_id,
        any_value(c.direction) AS direction,
        any_value(c.pageable) AS pageable,
        any_value(c.bytes) AS bytes,
        sum(s.end_ns - s.start_ns) AS lost_ns
    FROM window_segments AS s
    INNER JOIN copies AS c ON c.activity_id = s.activity_id
    GROUP BY s.cause, c.activity_id
)

SELECT
    cause,
    direction,
    pageable,
    count(*) AS times,
    CAST(sum(lost_ns) AS BIGINT) AS lost_ns,
    CAST(avg(bytes) AS BIGINT) AS bytes,
    max(bytes) AS largest_bytes
FROM exposed
GROUP BY cause, direction, pageable
QUALIFY sum(lost_ns) >= mentioned_share() * max(sum(lost_ns)) OVER (PARTITION BY cause)
ORDER BY cause, lost_ns DESC, direction, pageable;

COMMENT ON TABLE evidence_copies IS 'the exposed copies of each cause, by direction and kind of memory';
COMMENT ON COLUMN evidence_copies.pageable IS 'true for copies from or to pageable memory';
COMMENT ON COLUMN evidence_copies.times IS 'number of copies';
COMMENT ON COLUMN evidence_copies.lost_ns IS 'time in which they ran and nothing computed, ns';
COMMENT ON COLUMN evidence_copies.bytes IS 'mean size, bytes';
COMMENT ON COLUMN evidence_copies.largest_bytes IS 'size of the largest, bytes';
