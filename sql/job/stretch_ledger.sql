-- The ledger of each stretch: its lost time by cause, and the rest, which is compute. Exposed communication is lost to the causes
-- in charged_pieces.
-- reads: charged_pieces, ranks.losses, ranks.stretches
CREATE TABLE stretch_ledger AS
WITH lost AS (
    SELECT rank, until_ns, cause, CAST(sum(lost_ns) AS BIGINT) AS ns
    FROM (
        SELECT rank, until_ns, cause, lost_ns FROM ranks.losses WHERE activity_id IS NULL
        UNION ALL
        SELECT rank, until_ns, cause, end_ns - start_ns FROM charged_pieces
    )
    GROUP BY rank, until_ns, cause
)

SELECT rank, until_ns, cause, ns FROM lost
UNION ALL
SELECT s.rank, s.until_ns, 'compute', CAST(s.until_ns - s.start_ns - coalesce(sum(l.ns), 0) AS BIGINT)
FROM ranks.stretches AS s
LEFT JOIN lost AS l ON l.rank = s.rank AND l.until_ns = s.until_ns
GROUP BY s.rank, s.start_ns, s.until_ns;

COMMENT ON TABLE stretch_ledger IS 'the ledger of each stretch: compute and all causes add up to its length';
COMMENT ON COLUMN stretch_ledger.until_ns IS 'the stretch, as in ranks.stretches';
COMMENT ON COLUMN stretch_ledger.cause IS 'compute, or id of a cause';
COMMENT ON COLUMN stretch_ledger.ns IS 'time, ns';
