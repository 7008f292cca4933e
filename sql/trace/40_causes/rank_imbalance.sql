/* cause
meaning = "a collective waited for a rank that came late"
usual_fix = "Find what the late rank does instead (its own ledger says so) and fix it there; give all ranks equal work."
needs = ["all_ranks"]
color = "#3a2dbc"
color_dark = "#574ddd"

[remove]
ranks = true
*/

-- reads: collectives, segments
CREATE VIEW rules_rank_imbalance AS
SELECT s.segment_id, 10 AS priority, 'seen' AS basis
FROM segments AS s
INNER JOIN collectives AS c ON c.activity_id = s.activity_id
WHERE s.state = 'communication' AND s.end_ns <= c.all_arrived_ns;

-- reads: collectives, one_rank_share, window_segments, window_unit
CREATE VIEW fix_rank_imbalance AS
WITH late AS (
    SELECT
        c.last_gpu,
        sum(s.end_ns - s.start_ns) / sum(sum(s.end_ns - s.start_ns)) OVER () AS share,
        share >= one_rank_share() AS is_mostly_late
    FROM window_segments AS s
    INNER JOIN collectives AS c ON c.activity_id = s.activity_id
    WHERE s.cause = 'rank_imbalance'
    GROUP BY c.last_gpu
)

SELECT
    CASE
        WHEN is_mostly_late AND u.unit = 'validation'
            THEN format(
                'The others wait while GPU {} validates: give each rank its part of the validation (DistributedSampler), or let '
                || 'the others go on without waiting.',
                last_gpu
            )
        WHEN is_mostly_late AND u.unit = 'checkpoint'
            THEN format(
                'The others wait while GPU {} saves: save in the background (torch.distributed.checkpoint.async_save), or let '
                || 'each rank save its part.',
                last_gpu
            )
        WHEN is_mostly_late
            THEN format(
                'GPU {} comes last in {:.0f} % of the waiting. Fix what that rank does instead, which is in its own part '
                || 'of the ledger; the others only wait for it.',
                last_gpu, 100 * share
            )
        ELSE format(
            'The late rank changes (GPU {} in {:.0f} % of the waiting): even the work out. Give every rank the same number '
            || 'of tokens or samples, pad or bucket by length, and keep logging and evaluation off single ranks.',
            last_gpu, 100 * share
        )
    END AS fix
FROM late, window_unit AS u
ORDER BY share DESC
LIMIT 1;
