-- One row for each time in which a thread of Gloo's moves data between processes: it sends and receives without a pause of 1 ms.
-- The thread has no name of PyTorch's. It is the one that waits for sockets and sends and receives on them, in a process that has
-- PyTorch's thread for Gloo. A program that sends tensors with isend and recv waits for it in a call that is not recorded.
--
-- 1 ms: where two ranks exchanged 178 MB (gossip_sgd), nearly all pauses were shorter.
-- reads: os_call_kinds, os_calls, threads
CREATE TABLE cpu_transfers AS
WITH moving AS (
    SELECT o.pid, o.global_tid, o.start_ns, o.end_ns, k.role
    FROM os_calls AS o
    INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id
    LEFT JOIN threads AS t ON t.global_tid = o.global_tid
    WHERE
        o.pid IN (SELECT pid FROM threads WHERE starts_with(name, 'pt_gloo_'))
        AND k.role IN ('send', 'receive', 'poll')
        AND NOT coalesce(starts_with(t.name, 'pt_') OR regexp_matches(t.name, '^cuda-'), false)
),

movers AS (
    SELECT global_tid
    FROM moving
    GROUP BY global_tid
    HAVING count(DISTINCT role) = 3
),

after_pauses AS (
    SELECT
        *,
        coalesce(start_ns - max(end_ns) OVER (before ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > 1000000, true) AS begins
    FROM moving
    WHERE role <> 'poll' AND global_tid IN (FROM movers)
    WINDOW before AS (PARTITION BY global_tid ORDER BY start_ns)
),

numbered AS (
    SELECT *, CAST(count_if(begins) OVER (ORDER BY global_tid, start_ns ROWS UNBOUNDED PRECEDING) AS BIGINT) AS id
    FROM after_pauses
)

SELECT id, pid AS track, min(start_ns) AS start_ns, max(end_ns) AS end_ns
FROM numbered
GROUP BY id, pid;

COMMENT ON TABLE cpu_transfers IS 'times in which a thread of Gloo''s moves data between processes';
COMMENT ON COLUMN cpu_transfers.id IS 'unique number';
COMMENT ON COLUMN cpu_transfers.track IS 'process id';
COMMENT ON COLUMN cpu_transfers.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN cpu_transfers.end_ns IS 'end, ns';
