-- One row for each long segment that is a wait for a lock of Python.
-- reads: long_wait_ns, python_lock_waits, segments
CREATE TABLE own_lock_waits AS
SELECT s.segment_id
FROM (SELECT * FROM segments WHERE state = 'wait' AND end_ns - start_ns >= long_wait_ns()) AS s
ASOF INNER JOIN python_lock_waits AS w ON w.global_tid = s.on_global_tid AND s.start_ns >= w.start_ns
WHERE s.end_ns <= w.end_ns;

COMMENT ON TABLE own_lock_waits IS 'long segments that are waits for a lock of Python';
