-- One row for each call in which a launching thread waited for what a program prints that it had started.
-- reads: child_waits, os_call_kinds, os_calls, wake_ns
CREATE TABLE child_reads AS
SELECT DISTINCT o.global_tid, o.start_ns
FROM os_calls AS o
INNER JOIN child_waits AS c ON c.global_tid = o.global_tid AND o.start_ns >= c.piped_ns AND o.end_ns <= c.end_ns
WHERE
    o.end_ns - o.start_ns > wake_ns()
    AND o.name_id IN (SELECT string_id FROM os_call_kinds WHERE regexp_matches(name, '^(readv?|fread|f?gets|getline)$'));

COMMENT ON TABLE child_reads IS 'reads in which launching threads waited for a program that they had started';
COMMENT ON COLUMN child_reads.global_tid IS 'the thread that read, in threads';
COMMENT ON COLUMN child_reads.start_ns IS 'start of the call, ns since the session began';
