-- The time in which a process that drives several GPUs computes on any of them.
-- reads: flatten, split_compute
CREATE TABLE split_computing AS
SELECT CAST(id AS INTEGER) AS id, CAST(track AS INTEGER) AS track, start_ns, end_ns
FROM flatten('split_compute')
WHERE id IS NOT NULL;

COMMENT ON TABLE split_computing IS 'disjoint intervals in which a process computes on any of its several GPUs';
COMMENT ON COLUMN split_computing.id IS 'activity_id of activities';
COMMENT ON COLUMN split_computing.track IS 'process id';
COMMENT ON COLUMN split_computing.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN split_computing.end_ns IS 'end, ns';
