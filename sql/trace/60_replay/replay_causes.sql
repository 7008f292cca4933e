-- The causes that a replay can remove. At least half of their lost time is that of the replayed process, and they cost about as
-- much in the replayed steps as in all. A cause that costs time in every 500th step may cost nothing in the replayed ones.
-- reads: findings, loss_totals, replay_window, window, window_segments
CREATE VIEW replay_causes AS
WITH all_steps AS (
    SELECT t.cause, sum(t.lost_ns) AS lost_ns, any_value(r.steps / w.steps) AS replayed_share
    FROM loss_totals AS t
    INNER JOIN replay_window AS r ON r.pid = t.pid
    CROSS JOIN "window" AS w
    GROUP BY t.cause
),

replayed AS (
    SELECT s.cause, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM window_segments AS s
    INNER JOIN replay_window AS r ON r.pid = s.pid AND s.start_ns >= r.start_ns AND s.start_ns < r.end_ns
    GROUP BY s.cause
)

SELECT f.cause, f.share, f.worked_share, a.replayed_share * a.lost_ns / r.lost_ns AS lost_ratio
FROM findings AS f
INNER JOIN all_steps AS a ON a.cause = f.cause
LEFT JOIN replayed AS r ON r.cause = f.cause
WHERE
    a.lost_ns >= 0.5 * f.lost_ns
    AND coalesce(r.lost_ns, 0) BETWEEN 0.8 * a.replayed_share * a.lost_ns AND 1.25 * a.replayed_share * a.lost_ns
ORDER BY f.share DESC, f.cause;

COMMENT ON VIEW replay_causes IS 'the causes that a replay can remove, most lost time first';
COMMENT ON COLUMN replay_causes.cause IS 'id of the cause';
COMMENT ON COLUMN replay_causes.share IS 'of the window, 0 to 1, as in findings';
COMMENT ON COLUMN replay_causes.worked_share IS 'as in findings';
COMMENT ON COLUMN replay_causes.lost_ratio IS 'lost time of a step, as a multiple of that of a replayed step';
