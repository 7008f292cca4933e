-- One row for each wait of a launching thread for a batch that somebody else makes: a worker process or another thread. Workers
-- that cannot keep up are busy all the time, so that a replay has the batch when the recorded program had it, and no earlier.
-- They cannot keep up where such waits take a tenth of the window: 35 to 66 % in six programs whose workers were the limit, less
-- than 1 % in all others. The first batch of an epoch takes as long as it took, whenever the wait begins, and so does the input
-- of a request.
-- reads: causes, is_steps, own_work_ns, requests, window, window_segments
CREATE TABLE replay_batches AS
SELECT s.cause, s.pid, s.start_ns, s.end_ns
FROM window_segments AS s, "window" AS w
WHERE
    s.cause IN (SELECT cause FROM causes WHERE made_by_others)
    AND s.state = 'wait'
    AND s.gap_id IS NOT NULL
    AND s.end_ns - s.start_ns >= own_work_ns()
    AND is_steps(w.regime) AND NOT EXISTS (FROM requests)
QUALIFY sum(s.end_ns - s.start_ns) OVER (PARTITION BY s.gpu, s.pid) >= 0.1 * w.length_ns;

COMMENT ON TABLE replay_batches IS 'waits of the launching threads for batches that others make and cannot make fast enough';
COMMENT ON COLUMN replay_batches.start_ns IS 'start of the wait, ns since the session began';
COMMENT ON COLUMN replay_batches.end_ns IS 'end, when the batch was there, ns';
