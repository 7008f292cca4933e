/* cause
meaning = "nobody asked the program for anything"
usual_fix = "Nothing in the program: it could serve more requests, or share the GPU with another program."
color = "#8d99a6"
color_dark = "#a9b7c6"
by_design = true
remove = false
frames = [
    "^concurrent/futures/thread\\.py:_worker\\b",
    "^(selectors\\.py:select < )?asyncio/base_events\\.py:_run_once\\b",
    "^(asyncio/runners|uvloop/__init__)\\.py:run\\b",
    "^(selectors\\.py:select < )?socketserver\\.py:serve_forever\\b",
]
*/

-- The launching thread waits until a request comes: data arrives from outside, and within 1 ms, which is no time to work on it,
-- the thread goes on. A request comes in a few pieces; what comes in many is a download. It is seen where samples find the thread
-- idle: a worker of a pool that has no work, or an event loop with nothing to run.
-- reads: arrivals, own_work_ns, segments, thread_states, told_segments
CREATE VIEW rules_no_demand AS
WITH waits AS (
    SELECT s.segment_id, s.pid, t.start_ns, t.end_ns
    FROM (SELECT * FROM segments WHERE state = 'wait' AND pid IN (SELECT pid FROM arrivals)) AS s
    ASOF INNER JOIN (SELECT * FROM thread_states WHERE state = 'wait') AS t
        ON t.global_tid = s.on_global_tid AND s.start_ns >= t.start_ns
    WHERE t.end_ns - t.start_ns >= own_work_ns()
)

SELECT
    w.segment_id,
    27 AS priority,
    CASE
        WHEN w.segment_id IN (SELECT segment_id FROM told_segments WHERE cause = 'no_demand') THEN 'seen' ELSE 'inferred'
    END AS basis
FROM waits AS w
INNER JOIN arrivals AS a ON a.pid = w.pid AND a.at_ns BETWEEN w.start_ns AND w.end_ns + own_work_ns()
GROUP BY w.segment_id
HAVING max(a.at_ns) >= any_value(w.end_ns) - own_work_ns() AND count(*) <= 4;

-- reads: lost_segments, window
CREATE VIEW fix_no_demand AS
SELECT
    format(
        'This is no fault: {:,} times, {:.0f} times a second, the program waited for the next request. It could serve more of '
        || 'them, or share the GPU with another program.',
        count(*), count(*) / any_value(w.length_ns) * 1e9
    ) AS fix
FROM lost_segments AS s, "window" AS w
WHERE s.cause = 'no_demand';

-- reads: recorded_tables
CREATE VIEW unknown_no_demand AS
SELECT 'the trace holds no OS calls (capture with --trace=cuda,nvtx,osrt)' AS reason
WHERE 'OSRT_API' NOT IN (SELECT table_name FROM recorded_tables);
