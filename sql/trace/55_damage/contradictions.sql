-- One row for each kind of row that contradicts other rows. 127 sound traces have none. What it reads counts such rows of each
-- kind, also where there are none.
-- reads: contradictory_activities, contradictory_domains, contradictory_metrics, contradictory_migrations
-- reads: contradictory_ranges, contradictory_strings, contradictory_switches, contradictory_syncs, contradictory_turns
-- reads: lone_collectives, merged_devices, merged_ranks, mislaunched_activities, misnamed_collectives, occupied_threads
-- reads: silent_processes, silent_steps, unlisted_streams, unlisted_threads
CREATE TABLE contradictions AS
WITH counted AS (
    SELECT *, NULL AS unknown
    FROM (
        FROM contradictory_activities
        UNION ALL
        FROM contradictory_domains
        UNION ALL
        FROM contradictory_metrics
        UNION ALL
        FROM contradictory_migrations
        UNION ALL
        FROM contradictory_ranges
        UNION ALL
        FROM contradictory_switches
        UNION ALL
        FROM contradictory_syncs
        UNION ALL
        FROM lone_collectives
        UNION ALL
        FROM mislaunched_activities
        UNION ALL
        FROM occupied_threads
        UNION ALL
        FROM silent_processes
        UNION ALL
        FROM silent_steps
        UNION ALL
        FROM unlisted_streams
        UNION ALL
        FROM unlisted_threads
    )
    UNION ALL
    SELECT *, 'what ran' FROM contradictory_strings
    UNION ALL
    SELECT *, 'when another program had the GPU' FROM contradictory_turns
    UNION ALL
    SELECT *, 'which GPU was idle' FROM merged_devices
    UNION ALL
    SELECT *, 'which GPU was idle' FROM merged_ranks
    UNION ALL
    SELECT *, 'when the GPU computed' FROM misnamed_collectives
)

SELECT kind, CAST("rows" AS BIGINT) AS "rows", CAST(all_rows AS BIGINT) AS all_rows, unknown
FROM counted
WHERE "rows" > 0;

COMMENT ON TABLE contradictions IS 'kinds of rows that contradict other rows; empty for a sound trace';
COMMENT ON COLUMN contradictions.unknown IS 'what nobody knows because of them, where that may hide gaps; else NULL';
