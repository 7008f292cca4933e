-- Exposed communication as the ledger of the job charges it: waiting for a rank, and moving data, each a row. Where a stage of a
-- pipeline waits for its turn, that is by design: `pipeline_bubble`.
-- reads: exposed_pieces
CREATE VIEW charged_pieces AS
SELECT
    rank,
    until_ns,
    start_ns,
    waits_until_ns AS end_ns,
    CASE WHEN in_turns THEN 'pipeline_bubble' ELSE 'rank_imbalance' END AS cause
FROM exposed_pieces
WHERE waits_until_ns > start_ns
UNION ALL
SELECT rank, until_ns, waits_until_ns, end_ns, 'communication'
FROM exposed_pieces
WHERE end_ns > waits_until_ns;

COMMENT ON VIEW charged_pieces IS 'exposed communication, each piece with its cause in the ledger of the job';
COMMENT ON COLUMN charged_pieces.until_ns IS 'the stretch, as in ranks.stretches';
COMMENT ON COLUMN charged_pieces.start_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN charged_pieces.cause IS 'communication, rank_imbalance or pipeline_bubble';
