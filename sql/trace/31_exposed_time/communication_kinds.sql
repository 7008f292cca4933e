-- One row for each communication activity of the whole trace: what it does, and what NCCL says of it. A call of NCCL belongs to
-- the next communication activity that its thread launches. Calls in a group have one activity for all of them. So has the first
-- activity of a thread, where nsys recorded the calls before it and not their activities: what it moves is then unknown.
--
-- NCCL has one kernel for all that sends and receives. The stage of a pipeline also only sends, or only receives: at least the
-- first and the last micro-batch of a step. Where each activity of a communicator does both, the ranks exchange data with each
-- other, as experts do: AllToAll.
-- reads: activities, nccl_calls, strings
CREATE TABLE communication_kinds AS
WITH talking AS (
    SELECT
        a.activity_id, a.gpu, a.global_tid, a.launch_start_ns, t.text AS name,
        row_number() OVER (PARTITION BY a.global_tid ORDER BY a.launch_start_ns) = 1 AS first
    FROM activities AS a
    INNER JOIN strings AS t ON t.string_id = a.name_id
    WHERE a.kind = 'communication'
),

called AS (
    SELECT
        a.activity_id,
        CASE WHEN count(DISTINCT c.communicator) = 1 THEN min(c.communicator) END AS communicator,
        CASE WHEN count(*) = 1 OR NOT any_value(a.first) THEN CAST(sum(c.bytes) AS BIGINT) END AS bytes,
        CASE WHEN count(DISTINCT c.peer) = 1 THEN min(c.peer) END AS peer,
        string_agg(DISTINCT c.name, '+' ORDER BY c.name) AS calls
    FROM nccl_calls AS c
    ASOF INNER JOIN (SELECT activity_id, global_tid, launch_start_ns, first FROM talking) AS a
        ON a.global_tid = c.global_tid AND c.start_ns <= a.launch_start_ns
    GROUP BY a.activity_id
),

exchanges AS (
    SELECT t.gpu, c.communicator
    FROM talking AS t
    INNER JOIN called AS c ON c.activity_id = t.activity_id
    WHERE regexp_matches(c.calls, '^(Recv|Send|Recv\+Send)$')
    GROUP BY t.gpu, c.communicator
    HAVING bool_and(c.calls = 'Recv+Send')
)

SELECT
    t.activity_id,
    CASE
        WHEN regexp_matches(t.name, 'SendRecv|AlltoAll', 'i')
            THEN
                CASE
                    WHEN regexp_matches(c.calls, '^(Recv|Send|Recv\+Send)$') AND x.gpu IS NOT NULL THEN 'AllToAll'
                    WHEN c.calls IS NULL OR regexp_matches(c.calls, '^(Recv|Send|Recv\+Send)$') THEN 'SendRecv'
                    ELSE c.calls
                END
        WHEN regexp_matches(t.name, 'all_?reduce|cross_device_reduce', 'i') THEN 'AllReduce'
        WHEN regexp_matches(t.name, 'all_?gather', 'i') THEN 'AllGather'
        WHEN regexp_matches(t.name, 'reduce_?scatter', 'i') THEN 'ReduceScatter'
        WHEN regexp_matches(t.name, 'broadcast', 'i') THEN 'Broadcast'
        WHEN regexp_matches(t.name, 'reduce', 'i') THEN 'Reduce'
        ELSE coalesce(c.calls, t.name)
    END AS kind,
    c.communicator,
    c.bytes,
    c.peer
FROM talking AS t
LEFT JOIN called AS c ON c.activity_id = t.activity_id
LEFT JOIN exchanges AS x ON x.gpu = t.gpu AND x.communicator IS NOT DISTINCT FROM c.communicator;

COMMENT ON TABLE communication_kinds IS 'what each communication activity does, with what NCCL says of it';
COMMENT ON COLUMN communication_kinds.kind IS 'AllReduce, AllGather, ReduceScatter, Broadcast, Reduce, SendRecv, AllToAll (each rank sends and receives), or what the kernel or its calls are named';
COMMENT ON COLUMN communication_kinds.communicator IS 'as in nccl_calls; NULL where unknown or of several';
COMMENT ON COLUMN communication_kinds.bytes IS 'sizes of its messages, summed, bytes; NULL where unknown';
COMMENT ON COLUMN communication_kinds.peer IS 'rank at the other end of a SendRecv; NULL where unknown or several';
