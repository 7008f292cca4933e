-- One row for each time that a thread got a CPU core or lost it, as --cpuctxsw records it.
-- reads: listed_kinds, pid_of, export.ENUM_SAMPLING_THREAD_STATE, export.SCHED_EVENTS
CREATE VIEW core_switches AS
SELECT
    e."start" AS at_ns,
    e.cpu AS core,
    pid_of(e.globalTid) AS pid,
    e.globalTid AS global_tid,
    e.isSchedIn = 1 AS gets,
    -- many hosts do not tell
    s.name IN ('Interruptible', 'Uninterruptible', 'Stopped', 'Terminated', 'Waiting') AS blocks
FROM export.SCHED_EVENTS AS e
LEFT JOIN listed_kinds('export.ENUM_SAMPLING_THREAD_STATE') AS s ON s.id = e.threadState
WHERE e."start" IS NOT NULL AND e.globalTid IS NOT NULL AND e.isSchedIn IS NOT NULL;

COMMENT ON VIEW core_switches IS 'when threads got a CPU core and lost it; empty without --cpuctxsw';
COMMENT ON COLUMN core_switches.at_ns IS 'CPU time, ns since the session began';
COMMENT ON COLUMN core_switches.core IS 'number of the core';
COMMENT ON COLUMN core_switches.gets IS 'true where the thread gets the core, false where it loses it';
COMMENT ON COLUMN core_switches.blocks IS 'true where it loses the core because it waits; NULL where the trace does not tell';
