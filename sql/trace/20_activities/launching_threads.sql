-- One row for each thread that launches activities, or opens NVTX ranges in a process that does. In a PyTorch process the main
-- thread launches the forward pass and the optimizer, and an autograd thread launches the backward pass; while one works, the
-- other waits for it. The main thread is the one that opened the most NVTX ranges, of those that launch at least a tenth as much
-- as the busiest one: a thread that prepares input may open a range for each sample. Else it is the first thread of the process,
-- if that opened any, since threads of XLA launch for it; else the one that launched the most.
-- It is taken to wait for the busiest of the other threads, and each of these for the main thread.
-- reads: activities, nvtx_ranges, tid_of
CREATE TABLE launching_threads AS
WITH launched AS (
    SELECT pid, global_tid, count(*) AS activities, max(count(*)) OVER (PARTITION BY pid) AS most
    FROM activities
    WHERE global_tid IS NOT NULL
    GROUP BY pid, global_tid
),

ranged AS (
    SELECT pid, global_tid, count(*) AS ranges
    FROM nvtx_ranges
    WHERE pid IN (SELECT pid FROM launched)
    GROUP BY pid, global_tid
),

ranked AS (
    SELECT
        coalesce(l.pid, r.pid) AS pid,
        coalesce(l.global_tid, r.global_tid) AS global_tid,
        coalesce(l.activities, 0) AS activities,
        row_number() OVER (
            PARTITION BY coalesce(l.pid, r.pid)
            ORDER BY
                CASE WHEN r.ranges > 0 AND l.activities >= 0.1 * l.most THEN r.ranges END DESC NULLS LAST,
                coalesce(r.ranges > 0 AND tid_of(r.global_tid) = r.pid, false) DESC,
                coalesce(l.activities, 0) DESC,
                coalesce(r.ranges, 0) DESC,
                coalesce(l.global_tid, r.global_tid)
        ) AS place
    FROM launched AS l
    FULL JOIN ranged AS r ON r.global_tid = l.global_tid
)

SELECT
    s.pid,
    s.global_tid,
    s.activities,
    s.place = 1 AS main,
    CASE
        WHEN s.place > 1 THEN first(s.global_tid) OVER (PARTITION BY s.pid ORDER BY s.place)
        ELSE arg_max(s.global_tid, CASE WHEN s.place > 1 THEN s.activities END) OVER (PARTITION BY s.pid)
    END AS awaited_global_tid
FROM ranked AS s;

COMMENT ON TABLE launching_threads IS 'threads that launch activities, or open NVTX ranges in a process that does';
COMMENT ON COLUMN launching_threads.activities IS 'number of activities that it launched';
COMMENT ON COLUMN launching_threads.main IS 'true for the thread that drives the loop';
COMMENT ON COLUMN launching_threads.awaited_global_tid IS 'the thread that it is taken to wait for when it waits for its own process';
