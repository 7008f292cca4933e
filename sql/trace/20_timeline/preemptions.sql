-- One row for each time for which a launching thread could run and had no core: it lost its core outside of all calls into the
-- operating system, in which it might have waited, and got one again later.
--
-- 100 us: threads that have cores of their own lose them to the kernel and to the sampler, for less in 99 of 100 cases. In seven
-- programs on hosts of 16 cores longer ones took 0 to 0.8 % of the time. Where three processes shared the core of a fourth, its
-- thread was without it for 58 % of the time in pieces that are longer, most of 0.1 to 0.3 ms.
--
-- 100 ms: the period of a container's CPU quota. What took longer was a wait that is not traced, as of XLA's threads, which wait
-- without the C library: 160 times in one program of JAX, for 57 s. A thread that starves for longer is missed.
-- reads: core_switches, launching_threads, os_calls
CREATE TABLE preemptions AS
WITH switches AS (
    SELECT
        *,
        lead(at_ns) OVER thread AS back_ns,
        lead(gets) OVER thread AS gets_next
    FROM core_switches
    WHERE global_tid IN (SELECT global_tid FROM launching_threads)
    WINDOW thread AS (PARTITION BY global_tid ORDER BY at_ns, gets)
),

without_core AS (
    SELECT global_tid, core, at_ns AS start_ns, back_ns AS end_ns
    FROM switches
    WHERE NOT gets AND gets_next AND NOT coalesce(blocks, false) AND back_ns - at_ns BETWEEN 100000 AND 100000000
)

SELECT p.global_tid, p.core, p.start_ns, p.end_ns
FROM without_core AS p
ASOF LEFT JOIN (SELECT global_tid, start_ns, end_ns FROM os_calls) AS o
    ON o.global_tid = p.global_tid AND p.start_ns >= o.start_ns
WHERE o.end_ns IS NULL OR o.end_ns < p.start_ns;

COMMENT ON TABLE preemptions IS 'when launching threads could run and had no core';
COMMENT ON COLUMN preemptions.global_tid IS 'the thread, in threads';
COMMENT ON COLUMN preemptions.core IS 'the core that it lost';
COMMENT ON COLUMN preemptions.start_ns IS 'when it lost its core, ns since the session began';
COMMENT ON COLUMN preemptions.end_ns IS 'when it got one again, ns';
