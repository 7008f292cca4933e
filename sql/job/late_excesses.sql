-- For each late rank and cause, the most that any rank which waited is charged in each episode, added up. The causes of one
-- episode may be those of several ranks, and add up to more than the longest wait.
-- reads: charges
CREATE VIEW late_excesses AS
SELECT late_rank, cause, CAST(sum(charged_ns) AS BIGINT) AS excess_ns
FROM (SELECT episode, late_rank, cause, max(charged_ns) AS charged_ns FROM charges GROUP BY episode, late_rank, cause)
GROUP BY late_rank, cause;

COMMENT ON VIEW late_excesses IS 'what late ranks spent more time on than the others';
COMMENT ON COLUMN late_excesses.late_rank IS 'the rank that was late';
COMMENT ON COLUMN late_excesses.cause IS 'as in charges';
COMMENT ON COLUMN late_excesses.excess_ns IS 'of each episode, the waiting of the rank that is charged most for the cause, ns';
