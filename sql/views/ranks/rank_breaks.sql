-- One row for each rank and time between two regimes of the window, as a validation between steps.
-- reads: rank_gpus, window_regimes
CREATE VIEW rank_breaks AS
WITH followed AS (
    SELECT lag(end_ns) OVER (ORDER BY start_ns) AS start_ns, start_ns AS end_ns FROM window_regimes
)

SELECT g.gpu, f.start_ns, f.end_ns
FROM rank_gpus AS g
CROSS JOIN followed AS f
WHERE f.start_ns < f.end_ns;

COMMENT ON VIEW rank_breaks IS 'times between the regimes of the window, for each rank';
COMMENT ON COLUMN rank_breaks.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_breaks.start_ns IS 'end of a regime, ns since the session began';
COMMENT ON COLUMN rank_breaks.end_ns IS 'start of the next one, ns';
