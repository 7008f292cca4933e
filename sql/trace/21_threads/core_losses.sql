-- One row for each time for which a launching thread may have been able to run and had no core: it lost its core outside of all
-- calls into the operating system, in which it might have waited, and got one again later.
--
-- 100 us: threads that have cores of their own lose them to the kernel and to the sampler, for less in 99 of 100 cases. Where
-- three programs shared the core of a fourth, its thread was without it for 60 % of the time in pieces that are longer, most of
-- 0.1 to 0.3 ms.
--
-- 100 ms: the period of a container's CPU quota.
-- reads: core_switches, launching_threads, os_call_kinds, os_calls
CREATE TABLE core_losses AS
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

SELECT row_number() OVER (ORDER BY w.core, w.start_ns) AS id, w.core AS track, w.start_ns, w.end_ns, w.global_tid
FROM without_core AS w
ASOF LEFT JOIN (
    SELECT global_tid, start_ns, end_ns
    FROM os_calls
    -- what wakes a thread waits for none, but the woken one may take the core
    WHERE name_id NOT IN (SELECT string_id FROM os_call_kinds WHERE role = 'wake')
) AS o
    ON o.global_tid = w.global_tid AND w.start_ns >= o.start_ns
WHERE o.end_ns IS NULL OR o.end_ns < w.start_ns;

COMMENT ON TABLE core_losses IS 'when launching threads had no core, outside of calls into the operating system';
COMMENT ON COLUMN core_losses.id IS 'number in order of core and start';
COMMENT ON COLUMN core_losses.track IS 'number of the core that it lost';
COMMENT ON COLUMN core_losses.start_ns IS 'when it lost its core, ns since the session began';
COMMENT ON COLUMN core_losses.end_ns IS 'when it got one again, ns';
