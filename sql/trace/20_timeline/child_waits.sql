-- One row for each time in which a launching thread waited for a program that it had started: from its last CUDA call to the call
-- that waits for a process, as waitpid. Before that it reads what the program prints.
-- reads: calls, launching_threads, os_call_kinds, os_calls
CREATE TABLE child_waits AS
WITH waited AS (
    SELECT global_tid, start_ns, end_ns
    FROM os_calls
    WHERE
        name_id IN (SELECT string_id FROM os_call_kinds WHERE regexp_matches(name, '^wait(pid|id|3|4)?$'))
        AND global_tid IN (SELECT global_tid FROM launching_threads)
)

SELECT w.global_tid, any_value(c.end_ns) AS start_ns, w.end_ns
FROM waited AS w
ASOF INNER JOIN calls AS c ON c.global_tid = w.global_tid AND w.start_ns >= c.end_ns
GROUP BY w.global_tid, w.start_ns, w.end_ns;

COMMENT ON TABLE child_waits IS 'when launching threads waited for a program that they had started';
COMMENT ON COLUMN child_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN child_waits.start_ns IS 'end of its last CUDA call, ns since the session began';
COMMENT ON COLUMN child_waits.end_ns IS 'end of the call that waited for the process, ns';
