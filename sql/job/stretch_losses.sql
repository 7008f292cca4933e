-- The lost time of each stretch, with waiting for ranks as causes of their own. Where a stage of a pipeline waits for its turn,
-- that is by design: `pipeline_bubble`.
-- reads: ranks.losses, waits
CREATE VIEW stretch_losses AS
SELECT rank, until_ns, cause, lost_ns FROM ranks.losses WHERE activity_id IS NULL
UNION ALL
SELECT rank, until_ns, CASE WHEN point_to_point THEN 'pipeline_bubble' ELSE 'rank_imbalance' END, waiting_ns
FROM waits
WHERE waiting_ns > 0
UNION ALL
SELECT rank, until_ns, 'communication', exposed_ns - waiting_ns FROM waits WHERE exposed_ns > waiting_ns;

COMMENT ON VIEW stretch_losses IS 'lost time of each stretch, where waiting for ranks is told from moving data';
COMMENT ON COLUMN stretch_losses.rank IS 'number of the rank';
COMMENT ON COLUMN stretch_losses.until_ns IS 'the stretch, as in ranks.stretches';
COMMENT ON COLUMN stretch_losses.cause IS 'id of the cause, or pipeline_bubble';
COMMENT ON COLUMN stretch_losses.lost_ns IS 'time lost, ns';
