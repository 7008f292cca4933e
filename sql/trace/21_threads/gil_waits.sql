-- One row for each time that a launching thread waits for the GIL. While Nsight Systems samples Python, a thread of its own holds
-- the GIL: 30 to 40 us for each sample.
-- reads: gil_ranges, launching_threads, profiler_threads
CREATE TABLE gil_waits AS
WITH sampler_holds AS (
    SELECT g.pid, g.start_ns, g.end_ns
    FROM gil_ranges AS g
    WHERE NOT g.waiting AND g.global_tid IN (SELECT global_tid FROM profiler_threads)
)

SELECT
    w.global_tid,
    w.start_ns,
    w.end_ns,
    w.name_id,
    h.pid IS NOT NULL AND 2 * (least(w.end_ns, h.end_ns) - greatest(w.start_ns, h.start_ns)) >= w.end_ns - w.start_ns
        AS for_profiler
FROM (
    SELECT * FROM gil_ranges WHERE waiting AND global_tid IN (SELECT global_tid FROM launching_threads)
) AS w
ASOF LEFT JOIN sampler_holds AS h ON h.pid = w.pid AND w.end_ns > h.start_ns;

COMMENT ON TABLE gil_waits IS 'waits of launching threads for the Python GIL';
COMMENT ON COLUMN gil_waits.global_tid IS 'the launching thread';
COMMENT ON COLUMN gil_waits.name_id IS 'Waiting for GIL, in strings';
COMMENT ON COLUMN gil_waits.for_profiler IS 'true where a thread of Nsight Systems held it for at least half of the time';
