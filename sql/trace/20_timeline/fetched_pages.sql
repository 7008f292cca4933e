-- Migrations to the CPU that a touch there caused, each from the touch on. That is the page fault before it, where page faults of
-- the CPU were recorded: within 1 ms, since of 7,296 migrations (managed_loop, H100) the latest came 0.3 ms after its fault, most
-- 19 us after it.
--
-- Else 40 us before: where the CPU touches a page of 4 KB, then the next, their migrations are 41 us apart (median of 876 on an
-- H200 host).
-- reads: migrations, recorded_faults
CREATE VIEW fetched_pages AS
SELECT
    m.activity_id AS id,
    m.pid AS track,
    CASE WHEN m.start_ns - f.start_ns <= 1000000 THEN f.start_ns ELSE m.start_ns - 40000 END AS start_ns,
    m.end_ns
FROM (SELECT * FROM migrations WHERE to_host AND NOT by_prefetch) AS m
ASOF LEFT JOIN (SELECT pid, start_ns FROM recorded_faults WHERE gpu IS NULL) AS f
    ON f.pid = m.pid AND m.start_ns >= f.start_ns;

COMMENT ON VIEW fetched_pages IS 'pages of managed memory on their way to the CPU, which waits for them';
COMMENT ON COLUMN fetched_pages.id IS 'activity_id of migrations';
COMMENT ON COLUMN fetched_pages.track IS 'process';
COMMENT ON COLUMN fetched_pages.start_ns IS 'when the CPU touched the page, ns since the session began';
COMMENT ON COLUMN fetched_pages.end_ns IS 'when it has come, ns';
