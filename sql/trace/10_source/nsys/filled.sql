-- Rows of the export that lack what every row of a sound one has. All columns of all exports that were seen are filled,
-- whatever their schema (3.7 to 3.20), but for the texts, the ends and the payloads of NVTX events, which not all of them have.
CREATE MACRO filled(events) AS TABLE
SELECT to_json(c) AS counts
FROM (SELECT count(*) AS all_rows, count(COLUMNS(*)) FROM query_table(events)) AS c;
