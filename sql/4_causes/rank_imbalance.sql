CREATE VIEW claims_rank_imbalance AS
SELECT s.slice_id, 10 AS precedence, 'seen' AS basis
FROM slices AS s
INNER JOIN collectives AS c ON c.op_id = s.op_id
WHERE s.state = 'communication' AND s.end_ns <= c.all_arrived_ns;

CREATE VIEW fix_rank_imbalance AS
WITH late AS (
    SELECT c.last_gpu, sum(s.end_ns - s.start_ns) AS lost_ns, sum(sum(s.end_ns - s.start_ns)) OVER () AS all_ns
    FROM claims_rank_imbalance AS r
    INNER JOIN slices AS s ON s.slice_id = r.slice_id
    INNER JOIN collectives AS c ON c.op_id = s.op_id
    GROUP BY c.last_gpu
)

SELECT CASE
    WHEN lost_ns >= 0.8 * all_ns THEN format(
        'GPU {} comes last in {:.0f} % of the waiting. Mend what that rank does instead, which is in its own part of '
        || 'the ledger (--device {}); the others only wait for it.',
        last_gpu, 100.0 * lost_ns / all_ns, last_gpu
    )
    ELSE format(
        'The late rank changes (GPU {} in {:.0f} % of the waiting): even the work out. Give every rank the same number of '
        || 'tokens or samples, pad or bucket by length, and keep logging and evaluation off single ranks.',
        last_gpu, 100.0 * lost_ns / all_ns
    )
END AS fix
FROM late
ORDER BY lost_ns DESC
LIMIT 1;

COMMENT ON VIEW claims_rank_imbalance IS 'a collective waited for a rank that came late';
COMMENT ON COLUMN claims_rank_imbalance.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_rank_imbalance.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_rank_imbalance.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_rank_imbalance IS 'Find what the late rank does instead (its own ledger says so) and mend it there; give all ranks equal work.';
COMMENT ON COLUMN fix_rank_imbalance.fix IS 'what to change, for what was seen';
