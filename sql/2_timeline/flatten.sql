-- Flattens intervals, as calls and ranges on a thread, to the innermost one at each instant: the open one that began
-- last. Input: a relation (track, event_id, start_ns, end_ns). Output tiles each track from its first start to its last
-- end; innermost is NULL where nothing is open.
--
-- How: at each boundary count what is open. Where intervals nest, the innermost is the last one that started at that depth:
-- the event itself after a start, its parent after an end. Where they cross, an end is not the innermost's own; then, and
-- only from one moment with nothing open to the next, the open event with the latest start is looked up.
CREATE MACRO flatten(events) AS TABLE
WITH intervals AS (
    SELECT track, event_id, start_ns, end_ns FROM query_table(events) WHERE end_ns > start_ns
),

-- at one time ends come before starts, inner ends before outer ones, longer starts before shorter ones
boundaries AS (
    SELECT track, event_id AS started, NULL AS ended, start_ns AS at_ns, 1 AS opens, start_ns - end_ns AS tie FROM intervals
    UNION ALL
    SELECT track, NULL, event_id, end_ns, -1, -start_ns FROM intervals
),

counted AS (
    SELECT
        track,
        started,
        ended,
        at_ns,
        row_number() OVER boundary AS seq,
        sum(opens) OVER (boundary ROWS UNBOUNDED PRECEDING) AS depth,
        lead(at_ns) OVER boundary AS until_ns
    FROM boundaries
    WINDOW boundary AS (PARTITION BY track ORDER BY at_ns, opens, tie, coalesce(started, -ended))
),

nested AS (
    SELECT
        *,
        -- 0 where nothing is open: each of a row of NULLs would be followed back to the first, in quadratic time
        last_value(CASE WHEN depth = 0 THEN 0 ELSE started END IGNORE NULLS) OVER (
            PARTITION BY track, depth ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS innermost
    FROM counted
),

checked AS (
    SELECT
        *,
        coalesce(ended <> lag(innermost) OVER (PARTITION BY track ORDER BY seq), false) AS crosses,
        -- not FILTER: over a window its time is quadratic
        count(CASE WHEN depth = 0 THEN 1 END)
            OVER (PARTITION BY track ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS island
    FROM nested
),

crossed AS (
    SELECT DISTINCT track, island FROM checked WHERE crosses
),

looked_up AS (
    SELECT c.track, c.seq, arg_max(e.event_id, row(e.start_ns, e.start_ns - e.end_ns, e.event_id)) AS innermost
    FROM checked AS c
    INNER JOIN crossed AS x ON x.track = c.track AND x.island = c.island
    INNER JOIN (
        SELECT i.*, s.island FROM intervals AS i INNER JOIN checked AS s ON s.track = i.track AND s.started = i.event_id
    ) AS e ON e.track = c.track AND e.island = c.island AND e.start_ns <= c.at_ns AND e.end_ns > c.at_ns
    GROUP BY c.track, c.seq
)

SELECT
    c.track,
    c.at_ns AS start_ns,
    c.until_ns AS end_ns,
    CASE
        WHEN c.depth = 0 THEN NULL
        WHEN x.track IS NOT NULL THEN l.innermost
        ELSE c.innermost
    END AS innermost
FROM checked AS c
LEFT JOIN crossed AS x ON x.track = c.track AND x.island = c.island
LEFT JOIN looked_up AS l ON l.track = c.track AND l.seq = c.seq
WHERE c.until_ns > c.at_ns;
