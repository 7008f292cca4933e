-- One row for each time for which a thread had a CPU core.
-- reads: core_switches
CREATE TABLE core_runs AS
WITH switches AS (
    SELECT *, lead(at_ns) OVER (PARTITION BY core ORDER BY at_ns, gets) AS next_ns
    FROM core_switches
)

SELECT row_number() OVER (ORDER BY core, at_ns) AS id, core AS track, at_ns AS start_ns, next_ns AS end_ns, global_tid
FROM switches
WHERE gets AND next_ns > at_ns;

COMMENT ON TABLE core_runs IS 'when threads had a CPU core; empty without --cpuctxsw';
COMMENT ON COLUMN core_runs.id IS 'number in order of core and start';
COMMENT ON COLUMN core_runs.track IS 'number of the core';
COMMENT ON COLUMN core_runs.start_ns IS 'when the thread got it, ns since the session began';
COMMENT ON COLUMN core_runs.end_ns IS 'when the thread lost it, ns';
