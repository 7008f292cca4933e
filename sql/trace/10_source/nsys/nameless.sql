-- reads: strings
CREATE MACRO nameless(events) AS TABLE
SELECT coalesce(sum(n.times) FILTER (WHERE s.string_id IS NULL), 0) AS "rows", sum(n.times) AS all_rows
FROM (SELECT nameId, count(*) AS times FROM query_table(events) WHERE nameId IS NOT NULL GROUP BY nameId) AS n
LEFT JOIN strings AS s ON s.string_id = n.nameId;
