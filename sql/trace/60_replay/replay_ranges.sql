-- The NVTX ranges of the launching threads, so that a what-if can name them.
-- reads: launching_threads, nvtx_ranges
CREATE VIEW replay_ranges AS
SELECT n.pid, n.name, n.start_ns, n.end_ns
FROM nvtx_ranges AS n
WHERE n.global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON VIEW replay_ranges IS 'NVTX ranges of the launching threads';
COMMENT ON COLUMN replay_ranges.pid IS 'process id';
COMMENT ON COLUMN replay_ranges.name IS 'text of the range';
COMMENT ON COLUMN replay_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN replay_ranges.end_ns IS 'CPU end, ns';
