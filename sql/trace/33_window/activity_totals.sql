-- One row for each process, GPU, kind and name: the activities of the window, counted and added up. They are added up once,
-- because one pass over a million activities takes as long as all of the evidence.
-- reads: window_activities
CREATE TABLE activity_totals AS
SELECT
    pid, gpu, kind, name_id, count(*) AS activities, CAST(sum(end_ns - start_ns) AS BIGINT) AS gpu_ns
FROM window_activities
GROUP BY pid, gpu, kind, name_id;

COMMENT ON TABLE activity_totals IS 'the activities of the window, added up';
COMMENT ON COLUMN activity_totals.name_id IS 'short name of the kernels, in strings; NULL for copies and whole graphs';
COMMENT ON COLUMN activity_totals.gpu_ns IS 'time on the GPU in the window, ns';
