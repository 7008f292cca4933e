-- The time in which the CPU waits for pages of managed memory that are on the GPU: from its touch until the pages have come.
-- The trace has the migrations. The touch comes before.
--
-- 40 us: where the CPU touches a page of 4 KB, then the next, their migrations are 41 us apart (median of 876 on an H200 host).
-- reads: cover, migrations
CREATE TABLE cpu_page_faults AS
WITH fetched AS (
    SELECT pid AS track, start_ns - 40000 AS start_ns, end_ns FROM migrations WHERE to_host AND NOT by_prefetch
)

SELECT track AS pid, start_ns, end_ns
FROM cover('fetched');

COMMENT ON TABLE cpu_page_faults IS 'when the CPU waits for pages of managed memory, merged by process';
COMMENT ON COLUMN cpu_page_faults.pid IS 'process id';
COMMENT ON COLUMN cpu_page_faults.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN cpu_page_faults.end_ns IS 'end, ns';
