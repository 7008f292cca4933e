-- Merges intervals that overlap or touch: the time that any of them covers.
--
-- Input: the name of a relation (track, start_ns, end_ns). Output: disjoint intervals (id, track, start_ns, end_ns); id is a
-- number that is unique.
CREATE MACRO cover(intervals) AS TABLE
    WITH reached AS (
        SELECT
            track,
            start_ns,
            end_ns,
            max(end_ns)
                OVER (PARTITION BY track ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                AS until_ns
        FROM query_table(intervals)
        WHERE end_ns > start_ns
    ),

    numbered AS (
        SELECT
            track,
            start_ns,
            end_ns,
            count(CASE WHEN until_ns IS NULL OR start_ns > until_ns THEN 1 END)
                OVER (PARTITION BY track ORDER BY start_ns, end_ns ROWS UNBOUNDED PRECEDING) AS island
        FROM reached
    )

    SELECT row_number() OVER () AS id, track, min(start_ns) AS start_ns, max(end_ns) AS end_ns
    FROM numbered
    GROUP BY track, island;
