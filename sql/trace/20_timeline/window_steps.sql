-- One row for each step of the window, cut to the window.
-- reads: steps, window
CREATE TABLE window_steps AS
SELECT s.step, greatest(s.start_ns, w.start_ns) AS start_ns, least(s.end_ns, w.end_ns) AS end_ns
FROM steps AS s, "window" AS w
WHERE s.start_ns < w.end_ns AND s.end_ns > w.start_ns
ORDER BY s.step;

COMMENT ON TABLE window_steps IS 'the steps of the window, cut to it';
COMMENT ON COLUMN window_steps.step IS 'number, as in steps';
COMMENT ON COLUMN window_steps.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN window_steps.end_ns IS 'end, ns';
