-- What to call an op, whatever its kind.
CREATE VIEW op_names AS
SELECT o.op_id, coalesce(t.text, c.direction || CASE WHEN c.direction = 'Fill' THEN '' ELSE ' copy' END, 'CUDA graph') AS name
FROM ops AS o
LEFT JOIN strings AS t ON t.string_id = o.name_id
LEFT JOIN copies AS c ON c.op_id = o.op_id;

COMMENT ON VIEW op_names IS 'what to call each op';
COMMENT ON COLUMN op_names.op_id IS 'as in ops';
COMMENT ON COLUMN op_names.name IS 'short name of a kernel, direction of a copy, Fill or CUDA graph';
