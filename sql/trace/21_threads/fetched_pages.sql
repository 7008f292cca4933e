-- Migrations to the CPU that a touch there caused, each from the touch until the CPU goes on.
--
-- The CPU touches a page 40 us before its migration begins: where it touches one page of 4 KB after the other, migrations are
-- 41 us apart (median of 876 on an H200 host). It was earlier where a page fault was recorded earlier, by 1 ms at most: of 7,296
-- migrations (managed_loop, H100) the latest came 0.3 ms after its fault, most 19 us after it.
--
-- After the migration, pages are mapped for 0.12 ns a byte, at most 2 MB of them at once. Measured are 0.10 to 0.14 ns, with a
-- program that reads one byte of each page and so does nothing but wait (H200): where 64 KB to 1 MB have come, the next migration
-- begins 49 us to 155 us later, of which 40 us are after the next touch.
-- reads: migrations, recorded_faults
CREATE TABLE fetched_pages AS
SELECT
    m.activity_id AS id,
    m.pid AS track,
    least(CASE WHEN m.start_ns - f.start_ns <= 1000000 THEN f.start_ns END, m.start_ns - 40000) AS start_ns,
    m.end_ns + CAST(0.12 * least(coalesce(m.bytes, 0), 2 << 20) AS BIGINT) AS end_ns
FROM (SELECT * FROM migrations WHERE to_host AND NOT by_prefetch) AS m
ASOF LEFT JOIN (SELECT pid, start_ns FROM recorded_faults WHERE gpu IS NULL) AS f
    ON f.pid = m.pid AND m.start_ns >= f.start_ns;

COMMENT ON TABLE fetched_pages IS 'pages of managed memory on their way to the CPU, which waits for them';
COMMENT ON COLUMN fetched_pages.id IS 'activity_id of migrations';
COMMENT ON COLUMN fetched_pages.track IS 'process';
COMMENT ON COLUMN fetched_pages.start_ns IS 'when the CPU touched the page, ns since the session began';
COMMENT ON COLUMN fetched_pages.end_ns IS 'when the pages are mapped and the CPU goes on, ns';
