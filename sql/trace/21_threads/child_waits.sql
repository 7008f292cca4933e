-- One row for each time in which a launching thread waited for a program that it had started: from its last CUDA call to the call
-- that waits for a process, as waitpid. Before that it reads what the program prints, from the pipe that it made for it.
-- reads: calls, launching_threads, os_call_kinds, os_calls
CREATE TABLE child_waits AS
WITH ended AS (
    SELECT global_tid, start_ns, end_ns
    FROM os_calls
    WHERE
        name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'child')
        AND global_tid IN (SELECT global_tid FROM launching_threads)
),

waits AS (
    SELECT e.global_tid, c.end_ns AS start_ns, e.end_ns
    FROM ended AS e
    ASOF INNER JOIN (SELECT global_tid, end_ns FROM calls WHERE global_tid IN (SELECT global_tid FROM ended)) AS c
        ON c.global_tid = e.global_tid AND e.start_ns >= c.end_ns
),

pipes AS (
    SELECT global_tid, end_ns AS piped_ns
    FROM os_calls
    WHERE name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'pipe')
)

SELECT w.global_tid, w.start_ns, w.end_ns, CASE WHEN p.piped_ns >= w.start_ns THEN p.piped_ns END AS piped_ns
FROM waits AS w
ASOF LEFT JOIN pipes AS p ON p.global_tid = w.global_tid AND w.end_ns >= p.piped_ns;

COMMENT ON TABLE child_waits IS 'when launching threads waited for a program that they had started';
COMMENT ON COLUMN child_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN child_waits.start_ns IS 'end of its last CUDA call, ns since the session began';
COMMENT ON COLUMN child_waits.end_ns IS 'end of the call that waited for the process, ns';
COMMENT ON COLUMN child_waits.piped_ns IS 'when it had made the last pipe since then, ns; NULL if it made none';
