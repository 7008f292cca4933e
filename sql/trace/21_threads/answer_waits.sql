-- One row for each wait of a launching thread that ends with the answer of another program: since its last CUDA call it sent
-- something, and then waited in a call that receives, or for one. Over TLS, it sends with write.
-- reads: calls, launching_threads, long_wait_ns, os_call_kinds, os_calls
CREATE TABLE answer_waits AS
WITH named AS (
    SELECT o.global_tid, o.start_ns, o.end_ns, k.role = 'send' AS sends
    FROM os_calls AS o
    INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id
    WHERE
        o.global_tid IN (SELECT global_tid FROM launching_threads)
        AND (k.role = 'send' OR (k.role IN ('receive', 'poll') AND k.kind = 'wait'))
),

waits AS (
    SELECT w.global_tid, w.start_ns, w.end_ns, s.start_ns AS sent_ns
    FROM (FROM named WHERE NOT sends AND end_ns - start_ns >= long_wait_ns()) AS w
    ASOF INNER JOIN (FROM named WHERE sends) AS s ON s.global_tid = w.global_tid AND w.start_ns >= s.start_ns
)

SELECT w.global_tid, w.start_ns, w.end_ns
FROM waits AS w
ASOF INNER JOIN (SELECT global_tid, end_ns FROM calls WHERE global_tid IN (SELECT global_tid FROM waits)) AS c
    ON c.global_tid = w.global_tid AND w.start_ns >= c.end_ns
WHERE w.sent_ns >= c.end_ns;

COMMENT ON TABLE answer_waits IS 'when launching threads waited for the answer of another program';
COMMENT ON COLUMN answer_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN answer_waits.start_ns IS 'start of the call that waits, ns since the session began';
