-- One row for each name of NVTX ranges that speaks for a cause and is refuted, if so much is lost under it that the cause would
-- be a finding.
-- reads: judged_ranges, causes, window_segments, worked_time
CREATE TABLE refuted_names AS
SELECT c.cause, c.name, any_value(c.refuted_by) AS refuted_by
FROM judged_ranges AS c
INNER JOIN window_segments AS s ON s.range_id = c.range_id
INNER JOIN causes AS f ON f.cause = c.cause
CROSS JOIN worked_time AS w
WHERE c.refuted_by IS NOT NULL
GROUP BY c.cause, c.name
HAVING sum(s.end_ns - s.start_ns) >= any_value(f.finding_share) * any_value(w.worked_ns);

COMMENT ON TABLE refuted_names IS 'names of NVTX ranges that speak for a cause, and do not count';
COMMENT ON COLUMN refuted_names.name IS 'the name';
