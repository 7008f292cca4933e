-- One row: the lowest and the highest correlation id of the activities that were read. Ids count up in the order of the calls,
-- so the calls that launched these activities have ids between the two.
CREATE VIEW export.launched_ids AS
SELECT min(correlationId) AS first_id, max(correlationId) AS last_id
FROM (
    SELECT correlationId FROM export.CUPTI_ACTIVITY_KIND_KERNEL
    UNION ALL
    SELECT correlationId FROM export.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION ALL
    SELECT correlationId FROM export.CUPTI_ACTIVITY_KIND_MEMSET
    UNION ALL
    SELECT correlationId FROM export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
)
WHERE correlationId > 0; -- migrations have 0

COMMENT ON VIEW export.launched_ids IS 'one row: the range of the correlation ids of the activities that were read';
COMMENT ON COLUMN export.launched_ids.first_id IS 'the lowest correlation id; NULL where nothing was read';
COMMENT ON COLUMN export.launched_ids.last_id IS 'the highest';
