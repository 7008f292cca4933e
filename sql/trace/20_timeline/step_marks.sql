-- Where each iteration begins, for programs that have no NVTX range for a step: where an optimizer says so, else the period of
-- the launch sequence.
--
-- A kernel that runs once in each iteration has the same number of activities between its runs. A kernel that runs in each
-- layer has nearly the same number, but not quite, because the way from the last layer to the first layer of the next iteration
-- is longer. So a marker is a kernel whose regular intervals cover at least 70 % as many activities as those of the best
-- kernel. (Not all: the first interval of a rare kernel is cut off by the start of what is judged; the last one counts as far as
-- it goes.) Of several markers the rarest wins. A graph may be one of several of an iteration: each has its own intervals, and
-- all of them have some together. Only the last quarter of the activities is judged, because compilation and autotuning launch
-- regular sequences too.
--
-- Where no kernel has a period, other markers are tried, in this order:
-- * Where each kernel runs in each layer, and as much runs between the last layer and the first, as with an optimizer that
--   updates one tensor at a time: the first run of a kernel after such a way.
-- * Where only one kernel runs, as in many a solver: the copy to the host by which each iteration looks at its result; without
--   one, the copy that brings its input; without either, a call that makes a stream wait or takes memory, and at last one that
--   waits for the GPU, or asks whether it is done. There an iteration may be one kernel.
--
-- Requests that overlap break the period of a request, but not that of a layer. So a program that serves begins a step with each
-- request where there are fewer periods, or more of which less than half end with a read-back, as each token does.
-- reads: activities, busiest_gpu, calls, copies, graph_launches, optimizer_marks, options, read_backs, request_marks, step_ranges
CREATE TABLE step_marks AS
WITH sequence AS (
    SELECT
        a.start_ns,
        a.pid,
        a.launch_start_ns,
        CASE
            WHEN a.kind = 'compute' THEN coalesce(CAST(a.name_id AS VARCHAR), 'graph')
            WHEN c.direction IN ('Device-to-Host', 'Host-to-Device') THEN c.direction
        END AS name,
        g.graph_id,
        row_number() OVER (ORDER BY a.start_ns, a.activity_id) AS place
    FROM activities AS a
    INNER JOIN busiest_gpu AS b ON b.pid = a.pid AND b.gpu = a.gpu
    LEFT JOIN graph_launches AS g ON g.activity_id = a.activity_id
    LEFT JOIN copies AS c ON c.activity_id = a.activity_id
    WHERE
        NOT EXISTS (FROM step_ranges) AND NOT EXISTS (FROM optimizer_marks) AND (SELECT step_name FROM options) IS NULL
),

last_quarter AS (
    SELECT 3 * max(place) // 4 AS place, max(place) // 4 AS activities, max(place) + 1 AS end_place FROM sequence
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
    SELECT pid, start_ns, place, name FROM sequence WHERE name IS NOT NULL
    UNION ALL
    SELECT pid, start_ns, place, format('graph {}', graph_id) FROM sequence WHERE graph_id IN (FROM frequent_graphs)
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
    SELECT name, mode(activities) AS activities FROM spaced WHERE activities IS NOT NULL GROUP BY name
),

-- its first run after a long pause, as that of the first layer
begun AS (
    SELECT s.pid, s.start_ns, s.place, s.name
    FROM spaced AS s
    INNER JOIN pace AS p ON p.name = s.name
    WHERE s.since > 3 * p.activities AND NOT contains(s.name, '-to-')
),

-- the first activity that is launched after each such call
called AS (
    SELECT DISTINCT
        s.pid, s.start_ns, s.place, CAST(c.name_id AS VARCHAR) AS name,
        CASE WHEN c.family IN ('sync', 'query') THEN 6 ELSE 5 END AS choice
    FROM (
        SELECT pid, start_ns, name_id, family
        FROM calls
        WHERE
            family IN ('stream_wait', 'host_function', 'memory', 'sync', 'query')
            AND (
                SELECT count(DISTINCT n.name)
                FROM named AS n, last_quarter AS q
                WHERE n.place >= q.place AND NOT contains(n.name, '-to-')
            ) = 1
    ) AS c
    ASOF INNER JOIN sequence AS s ON s.pid = c.pid AND c.start_ns <= s.launch_start_ns
),

intervals AS (
    SELECT
        pid, start_ns, place, name, activities,
        CASE name WHEN 'Device-to-Host' THEN 3 WHEN 'Host-to-Device' THEN 4 ELSE 1 END AS choice
    FROM spaced
    UNION ALL
    SELECT *, lead(place) OVER (PARTITION BY name ORDER BY place) - place, 2 FROM begun
    UNION ALL
    SELECT pid, start_ns, place, name, lead(place) OVER (PARTITION BY name ORDER BY place) - place, choice FROM called
),

usual AS (
    SELECT i.name, i.choice, mode(i.activities) AS activities
    FROM intervals AS i, last_quarter AS q
    WHERE i.place >= q.place AND i.activities IS NOT NULL
    GROUP BY i.name, i.choice
),

-- a kernel that only follows itself has no period; a whole graph is an iteration by itself, and so may be what a call follows
scored AS (
    SELECT
        u.name,
        u.choice,
        u.activities,
        sum(CASE WHEN i.place >= q.place THEN coalesce(i.activities, q.end_place - i.place) ELSE 0 END) AS covered
    FROM usual AS u
    CROSS JOIN last_quarter AS q
    INNER JOIN intervals AS i
        ON
            i.name = u.name AND i.choice = u.choice
            AND coalesce(i.activities = u.activities, q.end_place - i.place <= u.activities)
    WHERE u.activities > 1 OR u.name = 'graph' OR u.choice >= 5
    GROUP BY u.name, u.choice, u.activities
    HAVING count(i.activities) >= 3
),

marker AS (
    SELECT s.name, s.choice, s.activities
    FROM (SELECT *, max(covered) OVER (PARTITION BY choice) AS most FROM scored) AS s, last_quarter AS q
    WHERE s.covered >= 0.7 * s.most AND s.covered >= 0.5 * q.activities
    ORDER BY s.choice, s.activities DESC, s.covered DESC, s.name
    LIMIT 1
),

-- irregular intervals before the last quarter are start-up, unless the last quarter has such intervals too
settled_down AS (
    SELECT coalesce(max(i.place + i.activities), 0) AS place
    FROM intervals AS i
    INNER JOIN marker AS m ON m.name = i.name AND m.choice = i.choice AND m.activities <> i.activities
    CROSS JOIN last_quarter AS q
    WHERE
        i.place < q.place
        AND i.activities NOT IN (
            SELECT j.activities
            FROM intervals AS j
            WHERE j.name = m.name AND j.choice = m.choice AND j.place >= q.place AND j.activities IS NOT NULL
        )
),

regular AS (
    SELECT i.pid, i.start_ns, i.name
    FROM intervals AS i
    INNER JOIN marker AS m ON m.name = i.name AND m.choice = i.choice
    CROSS JOIN settled_down AS d
    WHERE i.place >= d.place
),

counted AS (
    SELECT r.periods, count(q.start_ns) AS requests, count_if(q.start_ns >= r.from_ns) AS requests_since
    FROM (SELECT count(*) AS periods, min(start_ns) AS from_ns FROM regular) AS r
    LEFT JOIN request_marks AS q ON true
    GROUP BY r.periods
),

asked AS (
    SELECT c.periods
    FROM counted AS c
    CROSS JOIN (
        SELECT count(*) AS activities FROM read_backs INNER JOIN activities USING (activity_id)
        WHERE start_ns >= (SELECT min(start_ns) FROM regular)
    ) AS r
    WHERE
        c.requests >= 3
        AND (c.requests > 1.2 * c.periods OR (c.periods > 1.2 * c.requests_since AND r.activities < 0.5 * c.periods))
        AND EXISTS (FROM sequence) -- else ranges or an optimizer mark the steps
)

SELECT pid, start_ns, 'launches' AS source, name FROM regular WHERE NOT EXISTS (FROM asked)
UNION ALL
SELECT pid, start_ns, 'requests', NULL FROM request_marks WHERE EXISTS (FROM asked)
UNION ALL
SELECT pid, start_ns, 'optimizer', name FROM optimizer_marks
ORDER BY start_ns;

COMMENT ON TABLE step_marks IS 'where the launch sequence begins again; empty where NVTX ranges mark the steps, or nothing repeats';
COMMENT ON COLUMN step_marks.pid IS 'process whose loop it is';
COMMENT ON COLUMN step_marks.start_ns IS 'GPU start of the marking activity, ns since the session began';
COMMENT ON COLUMN step_marks.source IS 'what marks the step: launches, requests or optimizer';
COMMENT ON COLUMN step_marks.name IS 'id of the name of the marking kernel or call, or graph and which, or the direction of a copy; NULL where a request begins';
