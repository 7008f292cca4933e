-- One row for each collective of the window to which a rank came late: the others had come, and waited for it.
-- reads: ranks.members, ranks.precision
CREATE VIEW late_arrivals AS
SELECT
    match_id,
    min(ref_start_ns) AS first_ns,
    max(ref_start_ns) AS last_ns,
    arg_max(rank, ref_start_ns) AS rank
FROM ranks.members
WHERE in_window AND NOT in_turns
GROUP BY match_id
HAVING last_ns - first_ns > (SELECT noise_ns FROM ranks.precision)
ORDER BY last_ns - first_ns DESC, match_id;

COMMENT ON VIEW late_arrivals IS 'collectives to which a rank came late; times on the clock of the first rank';
COMMENT ON COLUMN late_arrivals.match_id IS 'as in members';
COMMENT ON COLUMN late_arrivals.first_ns IS 'when the first rank came, ns';
COMMENT ON COLUMN late_arrivals.last_ns IS 'when the last rank came, ns';
COMMENT ON COLUMN late_arrivals.rank IS 'the rank that came last';
