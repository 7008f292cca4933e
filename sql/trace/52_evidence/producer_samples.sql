-- One row for each Python sample of another thread that works while a launching thread waits for a batch of its process: it makes
-- the batch. None where such threads work for less than half of the waits.
-- reads: batch_wait_times, samples_beside_waits
CREATE TABLE producer_samples AS
WITH working AS (
    FROM samples_beside_waits WHERE works
)

SELECT sample_id
FROM working
WHERE (SELECT sum(usual_ns) FROM working) >= 0.5 * (SELECT sum(end_ns - start_ns) FROM batch_wait_times);

COMMENT ON TABLE producer_samples IS 'Python samples of threads that work while a launching thread waits for a batch';
