/* cause
meaning = "the program waited for requests, or for more of them to fill a batch"
usual_fix = "It could serve more requests, share the GPU with another program, or wait less for a batch to fill."
needs = ["os_calls"]
color = "#8d99a6"
color_dark = "#a9b7c6"
by_design = true
remove = false
frames = [
    "^concurrent/futures/thread\\.py:_worker\\b",
    "^((threading\\.py:wait < )?queue\\.py:get < )?anyio/_backends/_asyncio\\.py:run\\b",
    "^(selectors\\.py:select < )?asyncio/base_events\\.py:_run_once\\b",
    "^(asyncio/runners|uvloop/__init__)\\.py:run\\b",
    "^(selectors\\.py:select < )?socketserver\\.py:serve_forever\\b",
]
*/

-- The launching thread waits until a request comes. It is seen where samples find the thread idle: a worker of a pool that has no
-- work, or an event loop with nothing to run; where the process that sends it requests slept; and where it is an idle worker of a
-- pool, and the event loop that gives it work slept, too.
-- reads: demand_waits, idle_loops, idle_senders, matched_segments, segments
CREATE VIEW rules_no_demand AS
SELECT
    s.segment_id,
    CASE WHEN w.handed_over THEN 23 ELSE 27 END AS priority,
    CASE
        WHEN w.handed_over OR s.segment_id IN (SELECT segment_id FROM matched_segments WHERE cause = 'no_demand') THEN 'seen'
        ELSE 'inferred'
    END AS basis
FROM (SELECT * FROM segments WHERE state IN ('io', 'wait')) AS s
ASOF INNER JOIN demand_waits AS w ON w.global_tid = s.on_global_tid AND s.start_ns >= w.start_ns
WHERE s.start_ns < w.end_ns AND (s.state = 'wait' OR w.handed_over)
UNION ALL
SELECT s.segment_id, 23, 'seen'
FROM (SELECT * FROM segments WHERE state IN ('io', 'wait')) AS s
ASOF INNER JOIN idle_senders AS i ON i.global_tid = s.on_global_tid AND s.start_ns >= i.start_ns
WHERE s.start_ns < i.end_ns
UNION ALL
SELECT s.segment_id, 27, 'inferred'
FROM (
    SELECT * FROM segments
    WHERE state = 'wait' AND segment_id IN (SELECT segment_id FROM matched_segments WHERE cause = 'no_demand')
) AS s
ASOF INNER JOIN idle_loops AS i ON i.pid = s.pid AND s.start_ns >= i.start_ns
WHERE s.start_ns < i.end_ns;

-- reads: count_of, demand_waits, idle_loops, idle_senders, window, window_segments
CREATE VIEW fix_no_demand AS
WITH waits AS (
    SELECT global_tid, start_ns, end_ns, coalesce(end_ns - held_from_ns, 0) AS held_ns FROM demand_waits
    UNION
    SELECT global_tid, start_ns, end_ns, 0 FROM idle_senders
),

lost AS (
    FROM window_segments WHERE cause = 'no_demand'
),

of_waits AS (
    SELECT s.segment_id, w.global_tid, w.start_ns, w.end_ns - w.start_ns AS waited_ns, w.held_ns
    FROM lost AS s
    ASOF INNER JOIN waits AS w ON w.global_tid = s.on_global_tid AND s.start_ns >= w.start_ns
    WHERE s.start_ns < w.end_ns
),

lost_waits AS (
    SELECT DISTINCT global_tid, start_ns, waited_ns, held_ns FROM of_waits
    UNION ALL
    SELECT DISTINCT s.on_global_tid, i.start_ns, i.end_ns - i.start_ns, CASE WHEN i.held THEN i.end_ns - i.start_ns ELSE 0 END
    FROM (SELECT * FROM lost WHERE segment_id NOT IN (SELECT segment_id FROM of_waits)) AS s
    ASOF INNER JOIN idle_loops AS i ON i.pid = s.pid AND s.start_ns >= i.start_ns
    WHERE s.start_ns < i.end_ns
),

totals AS (
    SELECT count(*) AS times, sum(waited_ns) AS waited_ns, sum(held_ns) AS held_ns FROM lost_waits HAVING times > 0
)

SELECT
    CASE
        WHEN t.held_ns >= 0.5 * t.waited_ns
            THEN format(
                'For {:.0f} % of this time, requests are there: the program waits for more of them until a timer of its own '
                || 'ends ({}, {:.3g} ms each). Launch what is there as soon as the GPU is free, or shorten that delay.',
                100 * t.held_ns / t.waited_ns, count_of(t.times, 'time'), t.held_ns / t.times / 1e6
            )
        ELSE format(
            'This is no fault: {}, {:.1f} a second, the program waited for the next request. It could serve more of '
            || 'them, or share the GPU with another program.',
            count_of(t.times, 'time'), t.times / w.length_ns * 1e9
        )
    END AS fix
FROM totals AS t, "window" AS w;
