-- Macro `filled`: the number of rows of a table, and for each column the number of rows that have a value, as a JSON object. In
-- all exports that were seen (schema 3.7 to 3.20) every column is filled, but for those that damaged_rows names.
CREATE MACRO filled(events) AS TABLE
    SELECT to_json(c) AS counts
    FROM (SELECT count(*) AS all_rows, count(COLUMNS(*)) FROM query_table(events)) AS c;
