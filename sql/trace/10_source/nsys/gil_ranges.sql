-- One row for each interval in which a thread waits for the Python GIL or holds it.
-- reads: is_interval, nvtx_domains, pid_of, strings, export.NVTX_EVENTS
CREATE VIEW gil_ranges AS
SELECT
    e."start" AS start_ns,
    e."end" AS end_ns,
    d.pid,
    e.globalTid AS global_tid,
    coalesce(e.text = 'Waiting for GIL', s.string_id IS NOT NULL) AS waiting,
    CASE WHEN waiting THEN 'Waiting for GIL' ELSE 'Holding GIL' END AS name,
    e.textId AS name_id
FROM export.NVTX_EVENTS AS e
LEFT JOIN strings AS s ON s.string_id = e.textId AND s.text = 'Waiting for GIL'
INNER JOIN nvtx_domains AS d
    ON d.pid = pid_of(e.globalTid) AND d.domain_id = e.domainId AND d.name = 'GIL Trace'
WHERE is_interval(e."start", e."end");

COMMENT ON VIEW gil_ranges IS 'intervals in which a thread waits for the Python GIL or holds it; empty where the GIL was not traced';
COMMENT ON COLUMN gil_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN gil_ranges.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN gil_ranges.name IS 'Waiting for GIL or Holding GIL';
COMMENT ON COLUMN gil_ranges.waiting IS 'true while it waits, false while it holds';
COMMENT ON COLUMN gil_ranges.name_id IS 'name, in strings; NULL where the text is the event''s own';
