-- The names of kernels and graphs that are replayed, so that a what-if can name them.
-- reads: activity_name, strings, window_activities
CREATE VIEW replay_kernels AS
SELECT a.activity_id, a.pid, a.start_ns, activity_name(t.text, NULL) AS name
FROM window_activities AS a
LEFT JOIN strings AS t ON t.string_id = a.name_id
WHERE a.kind <> 'copy' AND a.launch_start_ns IS NOT NULL;

COMMENT ON VIEW replay_kernels IS 'names of the kernels and graphs that are replayed';
COMMENT ON COLUMN replay_kernels.pid IS 'process that launched it';
COMMENT ON COLUMN replay_kernels.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN replay_kernels.name IS 'name of the kernel; CUDA graph for a graph that was traced as a whole';
