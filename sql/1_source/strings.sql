-- Names and other texts, stored once and referred to by id.
CREATE VIEW strings AS
SELECT id AS string_id, coalesce(value, '?') AS text
FROM export.StringIds;

COMMENT ON VIEW strings IS 'names and other texts, stored once and referred to by id';
COMMENT ON COLUMN strings.string_id IS 'what the name_id columns of other views refer to';
COMMENT ON COLUMN strings.text IS 'the text as captured: it may hold anything';
