-- One row for each time in which a launching thread waited for a program that it had started: from its last CUDA call to the call
-- that waits for a process, as waitpid. Before that it reads what the program prints.
-- reads: calls, launching_threads, os_call_kinds, os_calls
CREATE TABLE child_waits AS
SELECT w.global_tid, c.end_ns AS start_ns, w.end_ns
FROM os_calls AS w
ASOF INNER JOIN calls AS c ON c.global_tid = w.global_tid AND w.start_ns >= c.end_ns
WHERE
    w.name_id IN (SELECT string_id FROM os_call_kinds WHERE regexp_matches(name, '^wait(pid|id|3|4)?$'))
    AND w.global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON TABLE child_waits IS 'when launching threads waited for a program that they had started';
COMMENT ON COLUMN child_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN child_waits.start_ns IS 'end of its last CUDA call, ns since the session began';
COMMENT ON COLUMN child_waits.end_ns IS 'end of the call that waited for the process, ns';
