-- One row for each cause of a process that costs about as much in the replayed steps as in all. One that costs time in every
-- 500th step may cost nothing in the replayed ones, so that a replay without it says nothing.
-- reads: loss_totals, replay_window, window, window_segments
CREATE VIEW replay_shares AS
WITH all_steps AS (
    SELECT t.pid, t.cause, sum(t.lost_ns) AS lost_ns, any_value(r.steps / w.steps) AS replayed_share
    FROM loss_totals AS t
    CROSS JOIN replay_window AS r
    CROSS JOIN "window" AS w
    GROUP BY t.pid, t.cause
),

replayed AS (
    SELECT s.pid, s.cause, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM window_segments AS s
    INNER JOIN replay_window AS r ON s.start_ns >= r.start_ns AND s.start_ns < r.end_ns
    GROUP BY s.pid, s.cause
)

SELECT a.pid, a.cause, a.lost_ns, a.replayed_share * a.lost_ns / r.lost_ns AS lost_ratio
FROM all_steps AS a
LEFT JOIN replayed AS r ON r.pid = a.pid AND r.cause = a.cause
WHERE coalesce(r.lost_ns, 0) BETWEEN 0.8 * a.replayed_share * a.lost_ns AND 1.25 * a.replayed_share * a.lost_ns;

COMMENT ON VIEW replay_shares IS 'causes that cost a process about as much in the replayed steps as in all';
COMMENT ON COLUMN replay_shares.pid IS 'process id';
COMMENT ON COLUMN replay_shares.cause IS 'id of the cause';
COMMENT ON COLUMN replay_shares.lost_ns IS 'time lost in the window, ns';
COMMENT ON COLUMN replay_shares.lost_ratio IS 'lost time of a step, as a multiple of that of a replayed step';
