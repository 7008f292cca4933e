-- One row: what means over the window are of. Each step of a decode loop generates a token. Regimes without steps count
-- themselves. A window that is one piece without steps has totals.
-- reads: decode_loop, is_steps, window
CREATE TABLE window_unit AS
SELECT
    CASE
        WHEN length_ns = step_ns AND source IN ('everything', 'time range') THEN 'window'
        WHEN NOT is_steps(regime) THEN regime
        WHEN EXISTS (FROM decode_loop) THEN 'token'
        ELSE 'step'
    END AS unit,
    length_ns / step_ns AS units
FROM "window";

COMMENT ON TABLE window_unit IS 'what means over the window are of: one row';
COMMENT ON COLUMN window_unit.unit IS 'step, token, the kind of a regime without steps, or window';
COMMENT ON COLUMN window_unit.units IS 'length of the window in these';
