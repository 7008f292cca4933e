-- One row for each kind of row that contradicts other rows of the export. 127 sound traces have none.
-- reads: contradictory_activities, contradictory_domains, contradictory_migrations, contradictory_ranges, contradictory_syncs
-- reads: contradictory_threads
CREATE VIEW contradictory_rows AS
FROM contradictory_activities
UNION ALL
FROM contradictory_domains
UNION ALL
FROM contradictory_migrations
UNION ALL
FROM contradictory_ranges
UNION ALL
FROM contradictory_syncs
UNION ALL
FROM contradictory_threads;

COMMENT ON VIEW contradictory_rows IS 'kinds of rows that contradict other rows of the export; empty for a sound trace';
COMMENT ON COLUMN contradictory_rows.kind IS 'the rows, in words';
