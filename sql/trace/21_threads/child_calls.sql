-- One row for each call in which a launching thread waited for a program that it had started, to read what it prints or to write
-- what it reads.
-- reads: child_waits, os_calls, wake_ns
CREATE TABLE child_calls AS
WITH pipes AS (
    SELECT global_tid, piped_ns, max(end_ns) AS end_ns
    FROM child_waits
    WHERE piped_ns IS NOT NULL
    GROUP BY global_tid, piped_ns
)

SELECT o.global_tid, o.start_ns
FROM (
    SELECT global_tid, start_ns, end_ns
    FROM os_calls
    WHERE kind = 'io' AND end_ns - start_ns > wake_ns() AND global_tid IN (SELECT global_tid FROM pipes)
) AS o
ASOF INNER JOIN pipes AS p ON p.global_tid = o.global_tid AND o.start_ns >= p.piped_ns
WHERE o.end_ns <= p.end_ns;

COMMENT ON TABLE child_calls IS 'calls on pipes in which launching threads waited for a program that they had started';
COMMENT ON COLUMN child_calls.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN child_calls.start_ns IS 'start of the call, ns since the session began';
