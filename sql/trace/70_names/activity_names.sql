-- What to call each activity, of whatever kind.
-- reads: activities, activity_name, copies, strings
CREATE VIEW activity_names AS
SELECT
    a.activity_id,
    activity_name(t.text, c.direction) AS name
FROM activities AS a
LEFT JOIN strings AS t ON t.string_id = a.name_id
LEFT JOIN copies AS c ON c.activity_id = a.activity_id;

COMMENT ON VIEW activity_names IS 'what to call each activity';
COMMENT ON COLUMN activity_names.name IS 'short name of a kernel, direction of a copy, Memset or CUDA graph';
