-- One row for each time in which a thread of Gloo's moves data between processes: it sends and receives without a pause of 1 ms.
-- In a process that has PyTorch's thread for Gloo, this is a thread without a name of its own, which polls sockets, receives from
-- them and sends. Where a program sends tensors with isend and recv, the call in which it waits for this thread is not recorded.
--
-- 1 ms: where two ranks exchanged 178 MB (gossip_sgd), nearly all pauses were shorter.
-- reads: os_call_kinds, os_calls, threads, tid_of
CREATE TABLE cpu_transfers AS
WITH nameless_threads AS (
    SELECT t.global_tid
    FROM threads AS t
    INNER JOIN threads AS m ON m.pid = t.pid AND tid_of(m.global_tid) = m.pid AND m.name = t.name
    WHERE t.global_tid <> m.global_tid
),

moving AS (
    SELECT o.pid, o.global_tid, o.start_ns, o.end_ns, k.role
    FROM os_calls AS o
    INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id
    WHERE
        o.pid IN (SELECT pid FROM threads WHERE starts_with(name, 'pt_gloo_'))
        AND o.global_tid IN (FROM nameless_threads)
        AND (k.role IN ('send', 'poll') OR starts_with(k.name, 'recv'))
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
COMMENT ON COLUMN cpu_transfers.track IS 'process id';
