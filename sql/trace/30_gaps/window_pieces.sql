-- One row for each stretch of the window: the regimes of the kind that was asked for, else of the kind in which most time is lost
-- after start-up. Of kinds that lose about as much (a tenth), steps come first.
-- reads: options, regime_losses, regimes
CREATE TABLE window_pieces AS
WITH told AS (
    SELECT kind
    FROM regime_losses, options
    WHERE
        kind = window_regime
        OR kind NOT IN ('start-up', 'end')
        OR NOT EXISTS (FROM regime_losses WHERE kind NOT IN ('start-up', 'end'))
    ORDER BY
        coalesce(kind = window_regime, false) DESC,
        CASE WHEN kind = 'steps' THEN 1.1 * lost_ns ELSE lost_ns END DESC NULLS LAST,
        length_ns DESC,
        kind
    LIMIT 1
)

SELECT CAST(row_number() OVER (ORDER BY r.start_ns) - 1 AS INTEGER) AS piece, r.regime, r.kind, r.start_ns, r.end_ns, r.steps
FROM regimes AS r
INNER JOIN told AS t ON t.kind = r.kind
ORDER BY r.start_ns;

COMMENT ON TABLE window_pieces IS 'the stretches of the window, in order of time';
COMMENT ON COLUMN window_pieces.piece IS 'number, from 0';
COMMENT ON COLUMN window_pieces.regime IS 'the same stretch, in regimes';
COMMENT ON COLUMN window_pieces.kind IS 'as in regimes; the same in all rows';
COMMENT ON COLUMN window_pieces.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN window_pieces.end_ns IS 'end, ns';
COMMENT ON COLUMN window_pieces.steps IS 'number of steps of the loop in it';
