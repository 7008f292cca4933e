-- One row for each kind of regime: how much of it the GPUs lose.
-- reads: regimes, segments
CREATE TABLE regime_losses AS
WITH lost AS (
    SELECT regime, sum(end_ns - start_ns) AS lost_ns FROM segments GROUP BY regime
)

SELECT
    r.kind,
    CAST(sum(r.end_ns - r.start_ns) AS BIGINT) AS length_ns,
    CAST(sum(l.lost_ns) AS BIGINT) AS lost_ns
FROM regimes AS r
LEFT JOIN lost AS l ON l.regime = r.regime
GROUP BY r.kind;

COMMENT ON TABLE regime_losses IS 'how much is lost in each kind of regime';
COMMENT ON COLUMN regime_losses.length_ns IS 'its length, ns';
COMMENT ON COLUMN regime_losses.lost_ns IS 'time in which a GPU does not compute, summed over GPUs, ns; NULL where there is none';
