-- The time in which kernels run, interrupted or not, on the GPUs that also transfer, or that other programs had for a time: at
-- each instant the one that began last.
-- reads: compute_beside, flatten
CREATE TABLE computing AS
SELECT CAST(id AS INTEGER) AS id, CAST(track AS INTEGER) AS track, start_ns, end_ns
FROM flatten('compute_beside')
WHERE id IS NOT NULL;

COMMENT ON TABLE computing IS 'disjoint intervals in which kernels run, of GPUs that also communicate, copy or are interrupted';
COMMENT ON COLUMN computing.id IS 'activity_id of activities';
