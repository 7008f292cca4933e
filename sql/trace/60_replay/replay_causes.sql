-- The causes that a replay can remove. At least half of their lost time is that of the replayed process, and they cost about as
-- much in the replayed steps as in all.
-- reads: cause_totals, least_usual_ratio, most_usual_ratio, replay_shares, replay_window
CREATE TABLE replay_causes AS
SELECT f.cause, f.share, f.worked_share, s.usual_ns / nullif(s.replayed_ns, 0) AS lost_ratio
FROM cause_totals AS f
INNER JOIN replay_shares AS s ON s.cause = f.cause
INNER JOIN replay_window AS r ON r.pid = s.pid
WHERE s.lost_ns >= 0.5 * f.lost_ns AND s.replayed_ns BETWEEN least_usual_ratio() * s.usual_ns AND most_usual_ratio() * s.usual_ns
ORDER BY f.share DESC, f.cause;

COMMENT ON TABLE replay_causes IS 'the causes that a replay can remove, most lost time first';
COMMENT ON COLUMN replay_causes.share IS 'of the window, 0 to 1, as in cause_totals';
COMMENT ON COLUMN replay_causes.lost_ratio IS 'lost time of a step, as a multiple of that of a replayed step';
