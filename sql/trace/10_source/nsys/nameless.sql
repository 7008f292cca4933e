-- Macro `nameless`: the number of rows of a table whose name id belongs to no string, and the number of rows that have a name
-- id.
-- reads: strings
CREATE MACRO nameless(events) AS TABLE
    SELECT coalesce(sum(n.times) FILTER (WHERE s.string_id IS NULL), 0) AS "rows", sum(n.times) AS all_rows
    FROM (SELECT nameId, count(*) AS times FROM query_table(events) WHERE nameId IS NOT NULL GROUP BY nameId) AS n
    LEFT JOIN strings AS s ON s.string_id = n.nameId;
