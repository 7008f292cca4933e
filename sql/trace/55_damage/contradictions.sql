-- One row for each kind of row that contradicts other rows. 127 sound traces have none.
-- reads: contradictory_activities, contradictory_domains, contradictory_migrations, contradictory_ranges, contradictory_switches
-- reads: contradictory_syncs, contradictory_threads, contradictory_turns, lone_collectives, merged_devices, merged_ranks
-- reads: mislaunched_activities, misnamed_collectives, unlisted_streams
CREATE TABLE contradictions AS
WITH hiding_nothing AS (
    FROM contradictory_activities
    UNION ALL
    FROM contradictory_domains
    UNION ALL
    FROM contradictory_migrations
    UNION ALL
    FROM contradictory_ranges
    UNION ALL
    FROM contradictory_switches
    UNION ALL
    FROM contradictory_syncs
    UNION ALL
    FROM contradictory_threads
    UNION ALL
    FROM lone_collectives
    UNION ALL
    FROM mislaunched_activities
    UNION ALL
    FROM unlisted_streams
)

SELECT *, NULL AS unknown FROM hiding_nothing
UNION ALL
SELECT *, 'when another program had the GPU' FROM contradictory_turns
UNION ALL
SELECT *, 'which GPU was idle' FROM merged_devices
UNION ALL
SELECT *, 'which GPU was idle' FROM merged_ranks
UNION ALL
SELECT *, 'when the GPU computed' FROM misnamed_collectives;

COMMENT ON TABLE contradictions IS 'kinds of rows that contradict other rows; empty for a sound trace';
COMMENT ON COLUMN contradictions.kind IS 'the rows, in words';
COMMENT ON COLUMN contradictions.unknown IS 'what nobody knows because of them, where that may hide gaps; else NULL';
