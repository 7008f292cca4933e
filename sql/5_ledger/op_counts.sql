-- What the GPUs had to do in the window, to tell whether two traces are of the same work.
CREATE VIEW op_counts AS
SELECT CAST(kind AS VARCHAR) AS kind, CAST(sum(ops) AS BIGINT) AS ops
FROM op_totals
GROUP BY kind
ORDER BY kind;

COMMENT ON VIEW op_counts IS 'ops of the window by kind, on all GPUs';
COMMENT ON COLUMN op_counts.kind IS 'as in ops';
COMMENT ON COLUMN op_counts.ops IS 'number of ops';
