-- One row for each string: names and other texts, stored once and referred to by id. A damaged trace may give one id to several
-- texts; then one of them is taken, so that nothing is counted twice.
-- reads: export.StringIds
CREATE TABLE strings AS
SELECT id AS string_id, coalesce(min(value), '?') AS text
FROM export.StringIds
WHERE id IS NOT NULL
GROUP BY id;

COMMENT ON TABLE strings IS 'names and other texts, stored once and referred to by id';
COMMENT ON COLUMN strings.string_id IS 'what the name_id columns of other views refer to';
COMMENT ON COLUMN strings.text IS 'the text as captured: it may hold anything';
