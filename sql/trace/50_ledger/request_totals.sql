-- One row for each request and GPU: compute and lost time add up to the time in which it was worked on.
-- reads: devices, request_ledger, request_tiles
CREATE VIEW request_totals AS
SELECT
    r.id AS request,
    d.gpu,
    r.start_ns,
    r.end_ns,
    CAST(r.end_ns - r.start_ns - coalesce(l.lost_ns, 0) AS BIGINT) AS compute_ns,
    CAST(coalesce(l.lost_ns, 0) AS BIGINT) AS lost_ns,
    l.worst_cause
FROM request_tiles AS r
CROSS JOIN devices AS d
LEFT JOIN (
    SELECT request, gpu, sum(lost_ns) AS lost_ns, arg_max(cause, lost_ns) AS worst_cause FROM request_ledger GROUP BY request, gpu
) AS l ON l.request = r.id AND l.gpu = d.gpu
ORDER BY r.id, d.gpu;

COMMENT ON VIEW request_totals IS 'each request on each GPU: compute and lost time while it was worked on';
COMMENT ON COLUMN request_totals.request IS 'as in requests';
COMMENT ON COLUMN request_totals.gpu IS 'physical GPU';
COMMENT ON COLUMN request_totals.start_ns IS 'start of the work, ns since the session began';
COMMENT ON COLUMN request_totals.end_ns IS 'end, ns';
COMMENT ON COLUMN request_totals.compute_ns IS 'time in which the GPU computed, ns';
COMMENT ON COLUMN request_totals.lost_ns IS 'all other time, ns';
COMMENT ON COLUMN request_totals.worst_cause IS 'the cause that took the most of it; NULL where nothing was lost';
