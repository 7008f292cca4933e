-- What a user's own what-if can name: kernels, NVTX ranges and sampled lines of the replayed process.
CREATE VIEW replay_kernels AS
SELECT o.op_id, coalesce(t.text, 'CUDA graph') AS name
FROM window_ops AS o
INNER JOIN replay_window AS w ON w.pid = o.pid AND o.start_ns >= w.start_ns AND o.start_ns < w.end_ns
LEFT JOIN strings AS t ON t.string_id = o.name_id
WHERE o.kind <> 'copy' AND o.launch_start_ns IS NOT NULL
ORDER BY o.op_id;

CREATE VIEW replay_ranges AS
SELECT n.name, n.start_ns, n.end_ns
FROM nvtx_ranges AS n
INNER JOIN replay_window AS w ON w.pid = n.pid AND n.end_ns > w.start_ns AND n.start_ns < w.end_ns
WHERE n.global_tid IN (SELECT global_tid FROM submitters)
ORDER BY n.start_ns, n.end_ns, n.name;

-- A sample stands for the time until its thread's next one; of a thread that then was not sampled, for the usual time.
CREATE VIEW replay_samples AS
WITH spaced AS (
    SELECT
        p.at_ns,
        p.file,
        p.line,
        lead(p.at_ns) OVER (PARTITION BY p.global_tid ORDER BY p.at_ns) - p.at_ns AS next_ns
    FROM python_samples AS p
    INNER JOIN replay_window AS w ON w.pid = pid_of(p.global_tid) AND p.at_ns >= w.start_ns AND p.at_ns < w.end_ns
    WHERE p.global_tid IN (SELECT global_tid FROM submitters)
)

SELECT
    file,
    line,
    at_ns AS start_ns,
    CAST(at_ns + least(coalesce(next_ns, usual_ns), usual_ns) AS BIGINT) AS end_ns
FROM spaced, (SELECT coalesce(median(next_ns), 0) AS usual_ns FROM spaced) AS u
ORDER BY start_ns, file, line;

COMMENT ON VIEW replay_kernels IS 'names of the kernels and graphs that are replayed';
COMMENT ON COLUMN replay_kernels.op_id IS 'as in ops';
COMMENT ON COLUMN replay_kernels.name IS 'name of the kernel; CUDA graph for a graph that was traced as a whole';
COMMENT ON VIEW replay_ranges IS 'NVTX ranges of the submitters in the steps that are replayed';
COMMENT ON COLUMN replay_ranges.name IS 'text of the range';
COMMENT ON COLUMN replay_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN replay_ranges.end_ns IS 'CPU end, ns';
COMMENT ON VIEW replay_samples IS 'Python samples of the submitters in the steps that are replayed';
COMMENT ON COLUMN replay_samples.file IS 'path of the file as captured';
COMMENT ON COLUMN replay_samples.line IS 'line';
COMMENT ON COLUMN replay_samples.start_ns IS 'when it was taken, ns since the session began';
COMMENT ON COLUMN replay_samples.end_ns IS 'until when the thread is taken to be on that line, ns';
