-- Macro `filled_intervals`: as `filled`, and the number of rows with impossible times. With `marks`, an event without an end
-- ends where it begins.
-- reads: is_interval
CREATE MACRO filled_intervals(events, marks := false) AS TABLE
    SELECT to_json(c) AS counts
    FROM (
        SELECT
            count(*) AS all_rows,
            count(*) FILTER (
                WHERE NOT coalesce(is_interval("start", coalesce("end", CASE WHEN marks THEN "start" END)), false)
            ) AS impossible,
            count(COLUMNS(*))
        FROM query_table(events)
    ) AS c;
