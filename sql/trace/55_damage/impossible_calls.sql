-- One row for each kind of CPU event of which some rows have times that cannot be, because other rows of their thread contradict
-- them: a thread is in one call at a time, opens its NVTX ranges one after the other, closes them in the order in which it opened
-- them, and either waits for the GIL or holds it.
--
-- A runtime call that is no synchronize call may make a few driver calls, and fork other OS calls; no other OS call makes CUDA
-- calls or many OS calls, and no CUDA call ends within an OS call. A synchronize call may print what kernels print, but reads no
-- file. In 137 sound traces there is none of them.
-- reads: call_tolerance_ns, calls, gil_ranges, nvtx_ranges, os_calls, step_ranges, strings
CREATE TABLE impossible_calls AS
WITH cuda_calls AS (
    SELECT
        end_ns > lead(start_ns) OVER by_start + call_tolerance_ns() OR start_ns = lead(start_ns) OVER by_start AS crosses,
        family = 'sync' OR coalesce(end_ns > lead(start_ns, 16) OVER by_start, false) AS makes_none,
        name_id,
        lead(name_id) OVER by_start AS inner_name_id
    FROM calls
    WINDOW by_start AS (PARTITION BY global_tid ORDER BY start_ns, end_ns DESC)
),

os_neighbours AS (
    SELECT
        global_tid,
        name_id,
        start_ns,
        end_ns,
        kind,
        end_ns > lead(start_ns, 4) OVER by_start + call_tolerance_ns()
        OR start_ns = lead(start_ns) OVER by_start
        OR (
            end_ns > lead(start_ns) OVER by_start + call_tolerance_ns()
            AND end_ns < lead(end_ns) OVER by_start - call_tolerance_ns()
        ) AS crosses
    FROM os_calls
    WINDOW by_start AS (PARTITION BY global_tid ORDER BY start_ns, end_ns DESC)
),

os_and_cuda AS (
    SELECT
        o.crosses
        OR o.end_ns > c.start_ns + call_tolerance_ns()
        OR b.end_ns BETWEEN o.start_ns + call_tolerance_ns() AND o.end_ns - call_tolerance_ns()
        OR (b.end_ns > o.end_ns AND b.family = 'sync' AND o.kind = 'io' AND NOT contains(s.text, 'write')) AS crosses
    FROM os_neighbours AS o
    INNER JOIN strings AS s ON s.string_id = o.name_id AND NOT ends_with(s.text, 'fork')
    ASOF LEFT JOIN calls AS c ON c.global_tid = o.global_tid AND o.start_ns <= c.start_ns
    ASOF LEFT JOIN calls AS b ON b.global_tid = o.global_tid AND o.start_ns > b.start_ns
),

ranges AS (
    SELECT
        start_ns = lead(start_ns) OVER by_start
        OR (
            end_ns > lead(start_ns) OVER by_start + call_tolerance_ns()
            AND end_ns < lead(end_ns) OVER by_start - call_tolerance_ns()
        ) AS crosses
    FROM nvtx_ranges
    WHERE nested
    WINDOW by_start AS (PARTITION BY global_tid, domain ORDER BY start_ns, end_ns DESC)
),

gil_states AS (
    SELECT end_ns > lead(start_ns) OVER by_start + call_tolerance_ns() AS crosses
    FROM gil_ranges
    WINDOW by_start AS (PARTITION BY global_tid ORDER BY start_ns, end_ns DESC)
),

-- a loop does not run inside of itself; where many do, the program means it
steps_of_loops AS (
    SELECT end_ns > lead(start_ns) OVER by_start + call_tolerance_ns() AS crosses
    FROM nvtx_ranges AS n
    SEMI JOIN step_ranges AS s ON s.pid = n.pid AND s.start_ns = n.start_ns AND s.end_ns = n.end_ns
    WHERE n.nested
    WINDOW by_start AS (PARTITION BY n.global_tid ORDER BY n.start_ns, n.end_ns DESC)
),

counted AS (
    SELECT 'CUDA calls' AS kind, count(*) AS "rows"
    FROM cuda_calls AS c
    INNER JOIN strings AS s ON s.string_id = c.name_id
    INNER JOIN strings AS i ON i.string_id = c.inner_name_id
    WHERE c.crosses AND (c.makes_none OR NOT starts_with(s.text, 'cuda') OR starts_with(i.text, 'cuda'))
    UNION ALL
    SELECT 'OS calls', count(*) FROM os_and_cuda WHERE crosses
    UNION ALL
    SELECT 'NVTX ranges', count(*) FROM ranges WHERE crosses
    UNION ALL
    SELECT 'GIL states', count(*) FROM gil_states WHERE crosses
    UNION ALL
    SELECT 'steps', count(*) FILTER (WHERE crosses) FROM steps_of_loops HAVING 4 * count(*) FILTER (WHERE crosses) <= count(*)
)

SELECT kind, "rows" FROM counted WHERE "rows" > 0;

COMMENT ON TABLE impossible_calls IS 'CPU events whose times other rows of their thread contradict; empty for a sound trace';
COMMENT ON COLUMN impossible_calls.kind IS 'CUDA calls, OS calls, NVTX ranges, GIL states or steps';
