-- What the GPUs had to do in the window, to tell whether two traces are of the same work.
CREATE VIEW work AS
SELECT CAST(kind AS VARCHAR) AS kind, count(*) AS ops, CAST(sum(end_ns - start_ns) AS BIGINT) AS gpu_ns
FROM window_ops
GROUP BY kind
ORDER BY kind;

COMMENT ON VIEW work IS 'ops of the window by kind, on all GPUs';
COMMENT ON COLUMN work.kind IS 'as in ops';
COMMENT ON COLUMN work.ops IS 'number of ops';
COMMENT ON COLUMN work.gpu_ns IS 'their time, summed, ns';
