-- One row for each collective of the window to which a rank came late: the others had come, and waited for it.
-- reads: matches, ranks.members, ranks.precision
CREATE VIEW late_arrivals AS
SELECT
    m.match_id,
    min(m.ref_start_ns) AS first_ns,
    t.all_arrived_ns AS last_ns,
    t.last_rank AS rank
FROM ranks.members AS m
INNER JOIN matches AS t ON t.match_id = m.match_id
WHERE t.in_window AND NOT t.in_turns
GROUP BY m.match_id, t.all_arrived_ns, t.last_rank
HAVING last_ns - first_ns > (SELECT noise_ns FROM ranks.precision)
ORDER BY last_ns - first_ns DESC, m.match_id;

COMMENT ON VIEW late_arrivals IS 'collectives to which a rank came late; times on the clock of the first rank';
COMMENT ON COLUMN late_arrivals.first_ns IS 'when the first rank came, ns';
COMMENT ON COLUMN late_arrivals.last_ns IS 'when the last rank came, ns';
COMMENT ON COLUMN late_arrivals.rank IS 'the rank that came last';
