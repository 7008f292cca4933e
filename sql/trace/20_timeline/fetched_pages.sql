-- Migrations to the CPU that a touch there caused, each from the touch until the CPU goes on. The touch is 40 us before: where
-- the CPU touches a page of 4 KB, then the next, their migrations are 41 us apart (median of 876 on an H200 host). It is earlier
-- where a page fault of the CPU was recorded earlier: within 1 ms, since of 7,296 migrations (managed_loop, H100) the latest came
-- 0.3 ms after its fault, most 19 us after it.
--
-- Then the pages that have come, at most 2 MB at once, are mapped, for 0.12 ns a byte. A program that touched one byte of each
-- page timed itself: 95 % of its loop were 193 faults (H200, nsys). The next migration began 49 us after one of 64 KB had ended,
-- and 155 us after 1 MB.
-- reads: migrations, recorded_faults
CREATE VIEW fetched_pages AS
SELECT
    m.activity_id AS id,
    m.pid AS track,
    least(CASE WHEN m.start_ns - f.start_ns <= 1000000 THEN f.start_ns END, m.start_ns - 40000) AS start_ns,
    m.end_ns + CAST(0.12 * least(m.bytes, 2 << 20) AS BIGINT) AS end_ns
FROM (SELECT * FROM migrations WHERE to_host AND NOT by_prefetch) AS m
ASOF LEFT JOIN (SELECT pid, start_ns FROM recorded_faults WHERE gpu IS NULL) AS f
    ON f.pid = m.pid AND m.start_ns >= f.start_ns;

COMMENT ON VIEW fetched_pages IS 'pages of managed memory on their way to the CPU, which waits for them';
COMMENT ON COLUMN fetched_pages.id IS 'activity_id of migrations';
COMMENT ON COLUMN fetched_pages.track IS 'process';
COMMENT ON COLUMN fetched_pages.start_ns IS 'when the CPU touched the page, ns since the session began';
COMMENT ON COLUMN fetched_pages.end_ns IS 'when the CPU goes on, ns';
