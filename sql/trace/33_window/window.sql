-- One row: the part of the trace that the diagnosis speaks of. It is the regimes of one kind (window_regimes), so that there may
-- be other time between its start and its end.
-- reads: activity_name, is_steps, options, regimes, step_marks, step_ranges, steps, strings, window_regimes, window_steps
CREATE TABLE "window" AS
WITH bounds AS (
    SELECT
        any_value(kind) AS kind,
        min(start_ns) AS start_ns,
        max(end_ns) AS end_ns,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS length_ns
    FROM window_regimes
),

inside AS (
    SELECT count(*) AS steps, sum(w.end_ns - w.start_ns) / count(*) AS step_ns
    FROM window_steps AS w
    LEFT JOIN steps AS s ON s.step = w.step
    CROSS JOIN bounds AS b
    -- a window in times may hold parts of steps
    WHERE NOT is_steps(b.kind) OR b.kind = 'steps' OR (w.start_ns = s.start_ns AND w.end_ns = s.end_ns)
)

SELECT
    b.start_ns,
    b.end_ns,
    b.length_ns,
    greatest(1, i.steps) AS steps,
    coalesce(i.step_ns, b.length_ns) AS step_ns,
    coalesce(o.window_from_step, (SELECT steps FROM regimes WHERE kind = 'start-up'), 0) AS excluded_steps,
    b.kind AS regime,
    CASE
        WHEN o.window_from_ns IS NOT NULL THEN 'time range'
        WHEN b.kind = 'everything' THEN 'everything'
        WHEN EXISTS (FROM step_ranges) THEN 'nvtx'
        WHEN EXISTS (FROM step_marks WHERE source = 'requests') THEN 'requests'
        ELSE 'launch period'
    END AS source,
    coalesce(
        (SELECT any_value(name) FROM step_ranges),
        (SELECT any_value(t.text) FROM step_marks AS m INNER JOIN strings AS t ON m.name = CAST(t.string_id AS VARCHAR)),
        CASE
            WHEN EXISTS (FROM step_marks WHERE name IS NOT NULL)
                THEN activity_name(NULL, (SELECT any_value(name) FROM step_marks WHERE contains(name, '-to-')))
        END
    ) AS step_name
FROM bounds AS b, inside AS i, options AS o;

COMMENT ON TABLE "window" IS 'the part of the trace that the diagnosis speaks of: one row; its name needs quotes, as in FROM "window"';
COMMENT ON COLUMN "window".start_ns IS 'start of its first regime, ns since the session began';
COMMENT ON COLUMN "window".end_ns IS 'end of its last regime, ns';
COMMENT ON COLUMN "window".length_ns IS 'time of its regimes, ns';
COMMENT ON COLUMN "window".steps IS 'number of whole steps in it, or of regimes, where it is no steps; 1 where no steps were found';
COMMENT ON COLUMN "window".step_ns IS 'mean time of these, ns; its own length where there are none';
COMMENT ON COLUMN "window".excluded_steps IS 'number of steps before it that were left out';
COMMENT ON COLUMN "window".regime IS 'as kind in regimes';
COMMENT ON COLUMN "window".source IS 'how the steps were told apart: nvtx, launch period, requests, time range or everything';
COMMENT ON COLUMN "window".step_name IS 'the NVTX range, kernel, graph or copy that marks a step; NULL where there is none';
