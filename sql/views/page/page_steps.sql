-- One row for each step of the window, in order; the whole window where there are no steps.
-- reads: window, trace.window_steps
CREATE VIEW page_steps AS
SELECT step, start_ns, end_ns FROM trace.window_steps
UNION ALL
SELECT 0, start_ns, end_ns FROM trace."window" WHERE NOT EXISTS (FROM trace.window_steps)
ORDER BY start_ns;

COMMENT ON VIEW page_steps IS 'the steps of the window';
COMMENT ON COLUMN page_steps.step IS 'number, as in steps; 0 for the window where there are none';
COMMENT ON COLUMN page_steps.start_ns IS 'start inside the window, ns since the session began';
COMMENT ON COLUMN page_steps.end_ns IS 'end inside the window, ns';
