-- Migrations to the CPU that a touch there caused, each from the touch on. The trace has the migrations; the touch comes before.
--
-- 40 us: where the CPU touches a page of 4 KB, then the next, their migrations are 41 us apart (median of 876 on an H200 host).
-- reads: migrations
CREATE VIEW fetched_pages AS
SELECT activity_id AS id, pid AS track, start_ns - 40000 AS start_ns, end_ns
FROM migrations
WHERE to_host AND NOT by_prefetch;

COMMENT ON VIEW fetched_pages IS 'pages of managed memory on their way to the CPU, which waits for them';
COMMENT ON COLUMN fetched_pages.id IS 'activity_id of migrations';
COMMENT ON COLUMN fetched_pages.track IS 'process';
COMMENT ON COLUMN fetched_pages.start_ns IS 'when the CPU touched the page, ns since the session began';
COMMENT ON COLUMN fetched_pages.end_ns IS 'when it has come, ns';
