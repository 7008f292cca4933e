-- Flattens intervals that nest, as calls and ranges on a thread do, to the innermost one at each instant.
-- Input: a relation (track, event_id, start_ns, end_ns). Output tiles each track from its first start to its
-- last end; innermost is NULL where nothing is open.
--
-- How: at each boundary count what is open. The innermost event is the last one that started at that depth:
-- the event itself after a start, its parent after an end. Where intervals cross instead of nesting, that event
-- may have ended already; then, and only then, the open event with the latest start is looked up.
CREATE MACRO flatten(events) AS TABLE
WITH intervals AS (
    SELECT track, event_id, start_ns, end_ns FROM query_table(events) WHERE end_ns > start_ns
),

boundaries AS (
    SELECT track, event_id, start_ns AS at_ns, 1 AS opens, start_ns - end_ns AS tie FROM intervals
    UNION ALL
    SELECT track, NULL, end_ns, -1, 0 FROM intervals
),

counted AS (
    SELECT
        track,
        event_id,
        at_ns,
        row_number() OVER boundary AS seq,
        sum(opens) OVER (boundary ROWS UNBOUNDED PRECEDING) AS depth,
        lead(at_ns) OVER boundary AS until_ns
    FROM boundaries
    WINDOW boundary AS (PARTITION BY track ORDER BY at_ns, opens, tie, event_id)
),

innermost AS (
    SELECT
        track,
        at_ns,
        until_ns,
        depth,
        last_value(event_id IGNORE NULLS) OVER (
            PARTITION BY track, depth ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS event_id
    FROM counted
),

checked AS (
    SELECT i.track, i.at_ns, i.until_ns, i.depth, i.event_id, coalesce(e.end_ns <= i.at_ns, i.depth > 0) AS ended
    FROM innermost AS i
    LEFT JOIN intervals AS e ON e.event_id = i.event_id AND e.track = i.track
    WHERE i.until_ns > i.at_ns
),

crossed AS (
    SELECT c.track, c.at_ns, arg_max(e.event_id, e.start_ns) AS event_id
    FROM checked AS c
    INNER JOIN intervals AS e ON e.track = c.track AND e.start_ns <= c.at_ns AND e.end_ns > c.at_ns
    WHERE c.ended
    GROUP BY c.track, c.at_ns
)

SELECT
    c.track,
    c.at_ns AS start_ns,
    c.until_ns AS end_ns,
    CASE WHEN c.depth = 0 THEN NULL WHEN c.ended THEN x.event_id ELSE c.event_id END AS innermost
FROM checked AS c
LEFT JOIN crossed AS x ON x.track = c.track AND x.at_ns = c.at_ns AND c.ended;
