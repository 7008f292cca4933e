-- NVTX ranges with names and paths.
-- reads: trace.launching_threads, trace.main_ranges, trace.nvtx_paths, trace.nvtx_ranges, trace.thread_names
CREATE VIEW main.nvtx_ranges AS
WITH placed AS (
    SELECT s.global_tid, e.start_ns, e.end_ns, e.name, min(p.path) AS path
    FROM trace.main_ranges AS e
    INNER JOIN trace.nvtx_paths AS p ON p.range_id = e.id
    INNER JOIN trace.launching_threads AS s ON s.pid = e.track AND s.main
    GROUP BY ALL
)

SELECT n.*, n.end_ns - n.start_ns AS length_ns, p.path AS nvtx, t.thread, t.process
FROM trace.nvtx_ranges AS n
LEFT JOIN placed AS p ON p.global_tid = n.global_tid AND p.start_ns = n.start_ns AND p.end_ns = n.end_ns AND p.name = n.name
LEFT JOIN trace.thread_names AS t ON t.global_tid = n.global_tid;

COMMENT ON VIEW main.nvtx_ranges IS 'NVTX ranges of the program, with names and paths';
COMMENT ON COLUMN main.nvtx_ranges.nvtx IS 'path from the outermost range to this one, joined by " > "; NULL for ranges that are not on a main thread';
