-- One row for each run of what may mark a step: how many activities there are until its next run. What marks it is one of these,
-- which are tried in this order:
-- - kernel: a kernel, or a graph. A graph may be one of several of an iteration: each has its own intervals, and all of them have
--   some together.
-- - first layer: where each kernel runs in each layer, and as much runs between the last layer and the first, as with an
--   optimizer that updates one tensor at a time: the first run of a kernel after such a way.
-- Where only one kernel runs, as in many a solver, an iteration may be one kernel:
-- - read-back: the copy to the host by which each iteration looks at its result;
-- - input: the copy that brings its input;
-- - stream call: a call that makes a stream wait or takes memory;
-- - wait: a call that waits for the GPU, or asks whether it is done;
-- - launch: nothing but the launch, where one stream runs the kernel again and again.
-- Where all kernels of an iteration run in a loop inside of it, some times over:
-- - loop: the first run of a kernel after a way that is longer than usual.
-- reads: calls, few_activities, judged_parts, launch_sequence
CREATE VIEW launch_intervals AS
WITH sequence AS (
    FROM launch_sequence
),

-- one that runs less often is that of a validation, say
frequent_graphs AS (
    SELECT graph_id
    FROM sequence
    WHERE graph_id IS NOT NULL
    GROUP BY graph_id
    QUALIFY count(*) >= 0.9 * max(count(*)) OVER ()
),

named AS (
    SELECT pid, start_ns, stream, place, name FROM sequence WHERE name IS NOT NULL
    UNION ALL
    SELECT pid, start_ns, stream, place, format('graph {}', graph_id) FROM sequence WHERE graph_id IN (FROM frequent_graphs)
),

only_kernel AS (
    SELECT any_value(n.name) AS name, count(*) AS times, count(DISTINCT n.stream) AS streams
    FROM named AS n, judged_parts AS p
    WHERE p.part = 1 AND n.place >= p.place AND NOT contains(n.name, '-to-')
    HAVING count(DISTINCT n.name) = 1
),

spaced AS (
    SELECT
        *,
        place - lag(place) OVER alike AS since,
        lead(place) OVER alike - place AS activities
    FROM named
    WINDOW alike AS (PARTITION BY name ORDER BY place)
),

pace AS (
    SELECT name, mode(activities ORDER BY activities) AS activities FROM spaced WHERE activities IS NOT NULL GROUP BY name
),

-- its first run after a longer way than usual
begun AS (
    SELECT s.pid, s.start_ns, s.place, s.name, CASE WHEN s.since > 3 * p.activities THEN 'first layer' ELSE 'loop' END AS marker
    FROM spaced AS s
    INNER JOIN pace AS p ON p.name = s.name
    WHERE s.since > p.activities AND NOT contains(s.name, '-to-')
),

-- the first activity that is launched after each such call
called AS (
    SELECT DISTINCT
        s.pid, s.start_ns, s.place, CAST(c.name_id AS VARCHAR) AS name,
        CASE WHEN c.family IN ('sync', 'query') THEN 'wait' ELSE 'stream call' END AS marker
    FROM (
        SELECT pid, start_ns, name_id, family
        FROM calls
        WHERE
            family IN ('stream_wait', 'host_function', 'memory', 'sync', 'query')
            AND EXISTS (FROM only_kernel)
    ) AS c
    ASOF INNER JOIN sequence AS s ON s.pid = c.pid AND c.start_ns <= s.launch_start_ns
)

SELECT
    pid, start_ns, place, name, activities,
    CASE name WHEN 'Device-to-Host' THEN 'read-back' WHEN 'Host-to-Device' THEN 'input' ELSE 'kernel' END AS marker
FROM spaced
UNION ALL
SELECT pid, start_ns, place, name, lead(place) OVER (PARTITION BY name, marker ORDER BY place) - place, marker FROM begun
UNION ALL
SELECT pid, start_ns, place, name, lead(place) OVER (PARTITION BY name ORDER BY place) - place, marker FROM called
UNION ALL
SELECT s.pid, s.start_ns, s.place, s.name, s.activities, 'launch'
FROM spaced AS s
INNER JOIN only_kernel AS o ON o.name = s.name AND o.streams = 1 AND o.times > few_activities();

COMMENT ON VIEW launch_intervals IS 'how many activities there are from each run of a possible marker of steps to its next';
COMMENT ON COLUMN launch_intervals.start_ns IS 'GPU start of the run, or of what is launched first after the call, ns since the session began';
COMMENT ON COLUMN launch_intervals.place IS 'its place in launch_sequence';
COMMENT ON COLUMN launch_intervals.name IS 'its name, as in step_marks';
COMMENT ON COLUMN launch_intervals.activities IS 'number of activities until the next run; NULL for the last';
COMMENT ON COLUMN launch_intervals.marker IS 'kernel, first layer, read-back, input, stream call, wait, launch or loop';
