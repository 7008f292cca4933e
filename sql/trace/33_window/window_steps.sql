-- One row for each step of the window. Where the window is something else than steps, its regimes take their place: of
-- validations, each is one. So does all of a recording of which a tenth is no usual step, such as a start-up or a validation: a
-- mean over its steps would be of no step.
-- reads: is_steps, steps, window_regimes
CREATE TABLE window_steps AS
WITH parts AS (
    SELECT
        s.step,
        p.regime,
        p.kind,
        p.end_ns - p.start_ns AS regime_ns,
        greatest(s.start_ns, p.start_ns) AS start_ns,
        least(s.end_ns, p.end_ns) AS end_ns,
        s.end_ns - s.start_ns <= 2 * median(s.end_ns - s.start_ns) OVER () AS is_usual
    FROM steps AS s
    INNER JOIN window_regimes AS p ON s.start_ns < p.end_ns AND s.end_ns > p.start_ns
    WHERE is_steps(p.kind)
),

mixed AS (
    SELECT regime
    FROM parts
    WHERE kind = 'everything'
    GROUP BY regime
    HAVING coalesce(sum(end_ns - start_ns) FILTER (is_usual), 0) < 0.9 * any_value(regime_ns)
)

SELECT step, start_ns, end_ns
FROM parts
WHERE regime NOT IN (FROM mixed)
UNION ALL
SELECT CAST(row_number() OVER (ORDER BY start_ns) - 1 AS INTEGER), start_ns, end_ns
FROM window_regimes
WHERE NOT is_steps(kind) OR regime IN (FROM mixed)
ORDER BY step;

COMMENT ON TABLE window_steps IS 'the steps of the window, cut to it';
COMMENT ON COLUMN window_steps.step IS 'number, as in steps; from 0, where the window is no steps';
