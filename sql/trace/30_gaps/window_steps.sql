-- One row for each step of the window. Where the window is something else than steps, its regimes take their place: of
-- validations, each is one.
-- reads: is_steps, steps, window_regimes
CREATE TABLE window_steps AS
SELECT s.step, greatest(s.start_ns, p.start_ns) AS start_ns, least(s.end_ns, p.end_ns) AS end_ns
FROM steps AS s
INNER JOIN window_regimes AS p ON s.start_ns < p.end_ns AND s.end_ns > p.start_ns
WHERE is_steps(p.kind)
UNION ALL
SELECT CAST(row_number() OVER (ORDER BY start_ns) - 1 AS INTEGER), start_ns, end_ns
FROM window_regimes
WHERE NOT is_steps(kind)
ORDER BY step;

COMMENT ON TABLE window_steps IS 'the steps of the window, cut to it';
COMMENT ON COLUMN window_steps.step IS 'number, as in steps; from 0, where the window is no steps';
COMMENT ON COLUMN window_steps.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN window_steps.end_ns IS 'end, ns';
