-- Python samples of the launching threads, as time on a line. A sample stands for the usual distance at most: a what-if must not
-- leave out time in which the thread may have been elsewhere.
-- reads: launching_threads, pid_of, replay_waits, sample_spans
CREATE VIEW replay_samples AS
SELECT
    pid_of(s.global_tid) AS pid,
    s.file,
    s.line,
    s.start_ns,
    least(s.end_ns, s.start_ns + s.usual_ns) AS end_ns,
    CASE WHEN w.end_ns > s.start_ns THEN w.waits_for END AS waits_for
FROM (SELECT * FROM sample_spans WHERE global_tid IN (SELECT global_tid FROM launching_threads)) AS s
ASOF LEFT JOIN replay_waits AS w ON w.global_tid = s.global_tid AND s.start_ns >= w.start_ns;

COMMENT ON VIEW replay_samples IS 'Python samples of the launching threads, as time on a line';
COMMENT ON COLUMN replay_samples.file IS 'as in python_samples';
COMMENT ON COLUMN replay_samples.line IS 'as in python_samples';
COMMENT ON COLUMN replay_samples.start_ns IS 'as in sample_spans';
COMMENT ON COLUMN replay_samples.end_ns IS 'until when the sample stands for its thread, ns';
COMMENT ON COLUMN replay_samples.waits_for IS 'as in replay_waits, of the wait in which its thread is; NULL in none';
