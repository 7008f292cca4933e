-- One row for each call in which a launching thread waited for a program that it had started, to read what it prints or to write
-- what it reads.
-- reads: child_waits, os_calls, wake_ns
CREATE TABLE child_calls AS
SELECT DISTINCT o.global_tid, o.start_ns
FROM os_calls AS o
INNER JOIN child_waits AS c ON c.global_tid = o.global_tid AND o.start_ns >= c.piped_ns AND o.end_ns <= c.end_ns
WHERE o.kind = 'io' AND o.end_ns - o.start_ns > wake_ns();

COMMENT ON TABLE child_calls IS 'calls on pipes in which launching threads waited for a program that they had started';
COMMENT ON COLUMN child_calls.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN child_calls.start_ns IS 'start of the call, ns since the session began';
