-- One row for each regime of the window: those of the kind that was asked for, else of the kind in which most time is lost
-- after start-up. Of kinds that lose about as much (a tenth), steps come first, and for a rank of a job always. What comes once,
-- after the last step, and takes less time than the steps, is how the program ends, as the checkpoint of a short training.
-- reads: options, regime_losses, regimes
CREATE TABLE window_regimes AS
WITH loop AS (
    SELECT max(end_ns) AS end_ns, sum(end_ns - start_ns) AS length_ns FROM regimes WHERE kind = 'steps'
),

ends AS (
    SELECT kind
    FROM regimes
    GROUP BY kind
    HAVING
        kind IN ('start-up', 'end')
        OR (
            count(*) = 1
            AND min(start_ns) >= (SELECT end_ns FROM loop) AND sum(end_ns - start_ns) < (SELECT length_ns FROM loop)
        )
),

chosen AS (
    SELECT kind
    FROM regime_losses, options
    WHERE
        kind = window_regime
        OR kind NOT IN (FROM ends)
        OR NOT EXISTS (FROM regime_losses WHERE kind NOT IN (FROM ends))
    ORDER BY
        coalesce(kind = window_regime, false) DESC,
        coalesce(window_steps_first AND kind = 'steps', false) DESC,
        CASE WHEN kind = 'steps' THEN 1.1 * lost_ns ELSE lost_ns END DESC NULLS LAST,
        length_ns DESC,
        kind
    LIMIT 1
)

SELECT r.regime, r.kind, r.start_ns, r.end_ns
FROM regimes AS r
INNER JOIN chosen AS c ON c.kind = r.kind
ORDER BY r.start_ns;

COMMENT ON TABLE window_regimes IS 'the regimes of the window, in order of time';
COMMENT ON COLUMN window_regimes.kind IS 'as in regimes; the same in all rows';
