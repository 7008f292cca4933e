-- Python samples of the launching threads, as time on a line. A sample stands for the usual distance at most: a what-if must not
-- leave out time in which the thread may have been elsewhere.
-- reads: launching_threads, pid_of, sample_spans
CREATE VIEW replay_samples AS
SELECT pid_of(global_tid) AS pid, file, line, start_ns, least(end_ns, start_ns + usual_ns) AS end_ns
FROM sample_spans
WHERE global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON VIEW replay_samples IS 'Python samples of the launching threads, as time on a line';
COMMENT ON COLUMN replay_samples.file IS 'as in python_samples';
COMMENT ON COLUMN replay_samples.line IS 'as in python_samples';
COMMENT ON COLUMN replay_samples.start_ns IS 'as in sample_spans';
COMMENT ON COLUMN replay_samples.end_ns IS 'until when the sample stands for its thread, ns';
