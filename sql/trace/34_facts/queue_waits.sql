-- One row for each long segment in which Python samples find the launching thread at a queue between threads. It waits until
-- another thread puts something in: an answer, where more than a scalar came back from the GPU just before and the gap ends with
-- an upload, else the next input. Or it waits for room: another thread takes what it has made too slowly.
-- reads: batch_bytes, gap_facts, long_segment_samples, python_stacks, segments
CREATE TABLE queue_waits AS
WITH found AS (
    SELECT
        s.segment_id,
        s.gap_id,
        avg(CAST(regexp_matches(p.frames, '^(threading\.py:wait < )?queue\.py:get\b') AS INTEGER)) AS gets,
        avg(CAST(regexp_matches(p.frames, '^(threading\.py:wait < )?queue\.py:put\b') AS INTEGER)) AS puts
    FROM long_segment_samples AS l
    INNER JOIN python_stacks AS p ON p.stack_id = l.stack_id
    INNER JOIN segments AS s ON s.segment_id = l.segment_id AND s.state = 'wait'
    WHERE NOT regexp_matches(p.frames, '\banyio/_backends/')
    GROUP BY s.segment_id, s.gap_id
)

SELECT
    f.segment_id,
    CASE WHEN f.puts > 0.5 THEN 'room' WHEN g.returned_bytes >= batch_bytes() THEN 'answer' ELSE 'input' END AS waits_for
FROM found AS f
LEFT JOIN gap_facts AS g ON g.gap_id = f.gap_id
WHERE greatest(f.gets, f.puts) > 0.5;

COMMENT ON TABLE queue_waits IS 'long waits for another thread at a queue';
COMMENT ON COLUMN queue_waits.waits_for IS 'input, answer (to what came from the GPU) or room (for what the thread has made)';
