-- What to call a call: CUDA calls without their version suffix, all else as captured.
-- reads: call_families, strings
CREATE TABLE call_names AS
SELECT s.string_id, coalesce(f.name, s.text) AS name
FROM strings AS s
LEFT JOIN call_families AS f ON f.string_id = s.string_id;

COMMENT ON TABLE call_names IS 'what to call a CUDA call, an OS call, or anything else that a thread does';
COMMENT ON COLUMN call_names.string_id IS 'what the name_id columns of other views refer to';
COMMENT ON COLUMN call_names.name IS 'the text as captured; for a CUDA call without its version suffix';
