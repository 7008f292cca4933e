-- The stretches of each rank: the window, cut wherever one of the rank's communication activities ends.
-- reads: rank_ends, window
CREATE VIEW rank_stretches AS
SELECT
    e.gpu,
    coalesce(lag(e.until_ns) OVER (PARTITION BY e.gpu ORDER BY e.until_ns), w.start_ns) AS start_ns,
    e.until_ns
FROM rank_ends AS e
CROSS JOIN "window" AS w;

COMMENT ON VIEW rank_stretches IS 'the window of each rank, in pieces from one end of communication to the next';
COMMENT ON COLUMN rank_stretches.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_stretches.until_ns IS 'end, and the key of the stretch, ns';
