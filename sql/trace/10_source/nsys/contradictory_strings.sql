-- One row: how many ids have several texts. nsys gives each text one id, and each id one text, as in 260 sound traces.
-- reads: export.StringIds
CREATE TABLE contradictory_strings AS
SELECT 'ids of several texts' AS kind, count(*) FILTER (texts > 1) AS "rows", count(*) AS all_rows
FROM (SELECT count(DISTINCT value) AS texts FROM export.StringIds WHERE id IS NOT NULL GROUP BY id);

COMMENT ON TABLE contradictory_strings IS 'how many ids have several texts';
COMMENT ON COLUMN contradictory_strings.kind IS 'the rows, in words';
