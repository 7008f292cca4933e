-- One row for each long segment in which Python samples find the launching thread as it waits for what another thread puts into a
-- queue. Where more than a scalar came back from the GPU just before, that is an answer to it, else it is the next input.
-- reads: batch_bytes, gap_facts, long_segment_samples, python_stacks, segments
CREATE TABLE queue_waits AS
WITH found AS (
    SELECT s.segment_id, s.gap_id
    FROM long_segment_samples AS l
    INNER JOIN python_stacks AS p ON p.stack_id = l.stack_id
    INNER JOIN segments AS s ON s.segment_id = l.segment_id AND s.state = 'wait'
    GROUP BY s.segment_id, s.gap_id
    HAVING
        avg(
            CAST(
                regexp_matches(p.frames, '^(threading\.py:wait < )?queue\.py:get\b')
                AND NOT regexp_matches(p.frames, '\banyio/_backends/') AS INTEGER
            )
        ) > 0.5
)

SELECT f.segment_id, coalesce(g.returned_bytes >= batch_bytes(), false) AS answers
FROM found AS f
LEFT JOIN gap_facts AS g ON g.gap_id = f.gap_id;

COMMENT ON TABLE queue_waits IS 'long waits for what another thread puts into a queue';
COMMENT ON COLUMN queue_waits.answers IS 'true where it is an answer to what came from the GPU';
