-- One row for each cause of a process: what it costs in the replayed steps, and in as many mean ones. A cause that costs time in
-- every 500th step may cost nothing in the replayed ones, so that a replay without it says nothing.
-- reads: loss_totals, replay_window, window, window_segments
CREATE TABLE replay_shares AS
WITH replayed AS (
    SELECT s.pid, s.cause, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM window_segments AS s
    INNER JOIN replay_window AS r ON s.start_ns >= r.start_ns AND s.start_ns < r.end_ns
    GROUP BY s.pid, s.cause
)

SELECT
    t.pid,
    t.cause,
    CAST(sum(t.lost_ns) AS BIGINT) AS lost_ns,
    sum(t.lost_ns) * any_value(w.steps * a.step_ns / a.length_ns) AS usual_ns,
    coalesce(any_value(r.lost_ns), 0) AS replayed_ns
FROM loss_totals AS t
CROSS JOIN replay_window AS w
CROSS JOIN "window" AS a
LEFT JOIN replayed AS r ON r.pid = t.pid AND r.cause = t.cause
GROUP BY t.pid, t.cause;

COMMENT ON TABLE replay_shares IS 'what each cause costs a process in the replayed steps, and in all';
COMMENT ON COLUMN replay_shares.lost_ns IS 'time lost in the window, ns';
COMMENT ON COLUMN replay_shares.usual_ns IS 'of it, the part of as many steps as are replayed, ns';
COMMENT ON COLUMN replay_shares.replayed_ns IS 'time lost in the replayed steps, ns';
