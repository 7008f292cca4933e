-- A wait on a semaphore that is followed to nobody is a lock or queue of Python's own.
CREATE VIEW states_lock_contention AS
SELECT 'lock' AS state, 20 AS precedence, 'seen' AS basis;

CREATE VIEW claims_lock_contention AS
SELECT s.slice_id, 62 AS precedence, 'inferred' AS basis
FROM slices AS s
INNER JOIN strings AS t ON t.string_id = s.name_id
WHERE s.state = 'wait' AND starts_with(t.text, 'sem_') AND s.end_ns - s.start_ns >= 1000000;

CREATE VIEW fix_lock_contention AS
WITH waits AS (
    SELECT t.text AS name, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM slices AS s
    LEFT JOIN strings AS t ON t.string_id = s.name_id
    WHERE s.state = 'lock' OR s.slice_id IN (SELECT slice_id FROM claims_lock_contention)
    GROUP BY t.text
    ORDER BY lost_ns DESC
    LIMIT 1
)

SELECT CASE
    WHEN name IN ('Waiting for GIL', 'pthread_cond_timedwait', 'pthread_cond_clockwait') THEN
        'Take the work of the thread that holds the GIL out of this process (multiprocessing, a subprocess), or into code that '
        || 'releases it (NumPy, a C extension); a Python thread that only computes takes turns of 5 ms with the training thread.'
    ELSE format('Hold the lock behind {} for less time, or do not share it with the thread that launches GPU work.', name)
END AS fix
FROM waits;

COMMENT ON VIEW states_lock_contention IS 'the launching thread waited for the GIL or a lock that another thread held';
COMMENT ON COLUMN states_lock_contention.state IS 'as in slices';
COMMENT ON COLUMN states_lock_contention.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_lock_contention.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW claims_lock_contention IS 'slices that it claims for what is around them';
COMMENT ON COLUMN claims_lock_contention.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_lock_contention.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_lock_contention.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_lock_contention IS 'Move the holder''s work to another process, or to code that releases the GIL; hold locks for less time.';
COMMENT ON COLUMN fix_lock_contention.fix IS 'what to change, for what was seen';
