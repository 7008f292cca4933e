-- The NVTX ranges of the launching threads, so that a what-if can name them.
-- reads: called_names, launching_threads, nvtx_ranges
CREATE VIEW replay_ranges AS
SELECT n.pid, n.name, coalesce(c.called, n.name) AS called, n.start_ns, n.end_ns
FROM nvtx_ranges AS n
LEFT JOIN called_names AS c ON c.name = n.name
WHERE n.global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON VIEW replay_ranges IS 'NVTX ranges of the launching threads';
COMMENT ON COLUMN replay_ranges.name IS 'text of the range';
COMMENT ON COLUMN replay_ranges.called IS 'what the range is called, as in called_names';
COMMENT ON COLUMN replay_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN replay_ranges.end_ns IS 'CPU end, ns';
