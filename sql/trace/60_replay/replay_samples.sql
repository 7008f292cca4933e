-- Python samples as time on a line: a sample stands for the time until the next sample of its thread, but for no longer than is
-- usual between two.
-- reads: launching_threads, pid_of, python_samples
CREATE VIEW replay_samples AS
WITH spaced AS (
    SELECT
        pid_of(global_tid) AS pid,
        at_ns,
        file,
        line,
        lead(at_ns) OVER (PARTITION BY global_tid ORDER BY at_ns) - at_ns AS next_ns
    FROM python_samples
    WHERE global_tid IN (SELECT global_tid FROM launching_threads)
)

SELECT
    pid,
    file,
    line,
    at_ns AS start_ns,
    CAST(at_ns + least(coalesce(next_ns, usual_ns), usual_ns) AS BIGINT) AS end_ns
FROM spaced
INNER JOIN (SELECT pid, coalesce(median(next_ns), 0) AS usual_ns FROM spaced GROUP BY pid) AS usual USING (pid);

COMMENT ON VIEW replay_samples IS 'Python samples of the launching threads, as time on a line';
COMMENT ON COLUMN replay_samples.pid IS 'process id';
COMMENT ON COLUMN replay_samples.file IS 'path of the file as captured';
COMMENT ON COLUMN replay_samples.line IS 'line';
COMMENT ON COLUMN replay_samples.start_ns IS 'when it was taken, ns since the session began';
COMMENT ON COLUMN replay_samples.end_ns IS 'until when the thread is taken to be on that line, ns';
