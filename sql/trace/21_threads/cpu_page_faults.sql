-- The time in which the CPU waits for pages of managed memory that are on the GPU.
-- reads: cover, fetched_pages
CREATE TABLE cpu_page_faults AS
SELECT CAST(track AS INTEGER) AS pid, start_ns, end_ns
FROM cover('fetched_pages');

COMMENT ON TABLE cpu_page_faults IS 'when the CPU waits for pages of managed memory, merged by process';
