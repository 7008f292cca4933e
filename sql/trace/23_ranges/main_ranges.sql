-- One row for each NVTX range of each process's main thread, before these are flattened.
-- reads: launching_threads, nvtx_ranges
CREATE TABLE main_ranges AS
SELECT
    CAST(row_number() OVER (ORDER BY n.pid, n.start_ns, n.end_ns DESC, hash(n.name)) AS INTEGER) AS id,
    n.pid AS track,
    n.start_ns,
    n.end_ns,
    n.name
FROM nvtx_ranges AS n
INNER JOIN launching_threads AS s ON s.global_tid = n.global_tid AND s.main;

COMMENT ON TABLE main_ranges IS 'NVTX ranges of each process''s main thread';
COMMENT ON COLUMN main_ranges.id IS 'number in order of process and start';
COMMENT ON COLUMN main_ranges.track IS 'process id';
COMMENT ON COLUMN main_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN main_ranges.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN main_ranges.name IS 'text of the range';
