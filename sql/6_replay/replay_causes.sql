-- The causes that can be replayed: those that cost the replayed process at least half of all their time.
CREATE VIEW replay_causes AS
WITH here AS (
    SELECT s.cause, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM settled AS s
    INNER JOIN replay_window AS w ON w.pid = s.pid
    GROUP BY s.cause
)

SELECT f.cause, f.share
FROM findings AS f
INNER JOIN here AS h ON h.cause = f.cause AND h.lost_ns >= 0.5 * f.lost_ns
ORDER BY f.share DESC, f.cause;

COMMENT ON VIEW replay_causes IS 'causes that the replayed process meets, most lost time first';
COMMENT ON COLUMN replay_causes.cause IS 'id of the cause';
COMMENT ON COLUMN replay_causes.share IS 'of the window, 0 to 1, as in findings';
