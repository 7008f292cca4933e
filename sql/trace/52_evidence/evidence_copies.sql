-- The exposed copies of each cause, by direction.
-- reads: copies, mostly_pageable, window_segments
CREATE VIEW evidence_copies AS
SELECT
    s.cause,
    c.direction,
    mostly_pageable(c.pageable, s.end_ns - s.start_ns) AS pageable,
    count(DISTINCT c.activity_id) AS times,
    CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns,
    CAST(median(c.bytes) AS BIGINT) AS bytes
FROM window_segments AS s
INNER JOIN copies AS c ON c.activity_id = s.activity_id
GROUP BY s.cause, c.direction
ORDER BY s.cause, lost_ns DESC;

COMMENT ON VIEW evidence_copies IS 'the exposed copies of each cause, by direction';
COMMENT ON COLUMN evidence_copies.direction IS 'as in copies';
COMMENT ON COLUMN evidence_copies.pageable IS 'true where those that use pageable memory took half of this time';
COMMENT ON COLUMN evidence_copies.times IS 'number of copies';
COMMENT ON COLUMN evidence_copies.lost_ns IS 'time in which they ran and nothing computed, ns';
COMMENT ON COLUMN evidence_copies.bytes IS 'median size, bytes';
