-- When some launching thread of a process waits for a batch.
-- reads: batch_waits, cover
CREATE TABLE batch_wait_times AS
FROM cover('batch_waits');

COMMENT ON TABLE batch_wait_times IS 'when launching threads wait for batches, on the track of their process';
