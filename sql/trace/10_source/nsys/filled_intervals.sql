-- a mark has no end: where there are some, an event without one ends as it begins
-- reads: is_interval
CREATE MACRO filled_intervals(events, marks := false) AS TABLE
SELECT to_json(c) AS counts
FROM (
    SELECT
        count(*) AS all_rows,
        count(*) FILTER (WHERE NOT coalesce(is_interval("start", coalesce("end", CASE WHEN marks THEN "start" END)), false)) AS impossible,
        count(COLUMNS(*))
    FROM query_table(events)
) AS c;
