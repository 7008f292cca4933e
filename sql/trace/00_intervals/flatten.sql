-- Flattens intervals that nest, as calls on a thread do, to the innermost one at each instant: the open one that began last.
--
-- Input: the name of a relation (id, track, start_ns, end_ns). Output: intervals (track, start_ns, end_ns, id) that tile each
-- track from its first start to its last end; id is NULL where nothing is open.
--
-- At each boundary the open intervals are counted. Where intervals nest, the innermost one is the last that began at this depth.
-- Where two cross, so that an end is not the innermost one's, the innermost is looked up among all that are open.
CREATE MACRO flatten(events) AS TABLE
    WITH intervals AS (
        SELECT id, track, start_ns, end_ns FROM query_table(events) WHERE end_ns > start_ns
    ),

    -- at one time ends come before starts, inner ends before outer ones, longer starts before shorter ones
    boundaries AS (
        SELECT track, id AS started, NULL AS ended, start_ns AS at_ns, 1 AS opens, start_ns - end_ns AS tie FROM intervals
        UNION ALL
        SELECT track, NULL, id, end_ns, -1, -start_ns FROM intervals
    ),

    counted AS (
        SELECT
            track,
            started,
            ended,
            at_ns,
            row_number() OVER boundary AS place,
            sum(opens) OVER (boundary ROWS UNBOUNDED PRECEDING) AS depth,
            lead(at_ns) OVER boundary AS until_ns
        FROM boundaries
        WINDOW boundary AS (PARTITION BY track ORDER BY at_ns, opens, tie, coalesce(started, -ended))
    ),

    nested AS (
        SELECT
            *,
            -- 0 where nothing is open: DuckDB follows a run of NULLs back to its beginning, which takes quadratic time
            last_value(CASE WHEN depth = 0 THEN 0 ELSE started END IGNORE NULLS) OVER (
                PARTITION BY track, depth ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS innermost
        FROM counted
    ),

    -- an island is a stretch with something open all along
    checked AS (
        SELECT
            *,
            coalesce(ended <> lag(innermost) OVER (PARTITION BY track ORDER BY place), false) AS crosses,
            -- CASE, since the time of FILTER over a window is quadratic
            count(CASE WHEN depth = 0 THEN 1 END)
                OVER (PARTITION BY track ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS island
        FROM nested
    ),

    crossed AS (
        SELECT DISTINCT track, island FROM checked WHERE crosses
    ),

    looked_up AS (
        SELECT c.track, c.place, arg_max(e.id, row(e.start_ns, e.start_ns - e.end_ns, e.id)) AS innermost
        FROM checked AS c
        INNER JOIN crossed AS x ON x.track = c.track AND x.island = c.island
        INNER JOIN (
            SELECT i.*, s.island FROM intervals AS i INNER JOIN checked AS s ON s.track = i.track AND s.started = i.id
        ) AS e ON e.track = c.track AND e.island = c.island AND e.start_ns <= c.at_ns AND e.end_ns > c.at_ns
        GROUP BY c.track, c.place
    )

    SELECT
        c.track,
        c.at_ns AS start_ns,
        c.until_ns AS end_ns,
        CASE
            WHEN c.depth = 0 THEN NULL
            WHEN x.track IS NOT NULL THEN l.innermost
            ELSE c.innermost
        END AS id
    FROM checked AS c
    LEFT JOIN crossed AS x ON x.track = c.track AND x.island = c.island
    LEFT JOIN looked_up AS l ON l.track = c.track AND l.place = c.place
    WHERE c.until_ns > c.at_ns;
