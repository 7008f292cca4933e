-- One row for each migration: pages of managed memory that move between the memories of the CPU and the GPU. No call launches it.
-- The driver moves pages where one side touched them (a page fault), next to such pages (it guesses that they follow), or where
-- the program asked for it (a prefetch).
-- reads: activity_id_of, copies, export.CUPTI_ACTIVITY_KIND_MEMCPY
CREATE VIEW migrations AS
SELECT
    c.activity_id,
    c.start_ns,
    c.end_ns,
    c.gpu,
    c.pid,
    c.bytes,
    c.direction = 'Unified Device-to-Host' AS to_host,
    -- CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER, and then _COHERENCE and _PREFETCH, which is what the driver guesses
    coalesce(m.migrationCause = 1, false) AS by_prefetch,
    coalesce(m.migrationCause IN (2, 3), false) AND c.direction <> 'Unified Device-to-Device' AS by_touch
FROM copies AS c
INNER JOIN export.CUPTI_ACTIVITY_KIND_MEMCPY AS m ON activity_id_of('copy', m.rowid) = c.activity_id
WHERE starts_with(c.direction, 'Unified ');

COMMENT ON VIEW migrations IS 'pages of managed memory that moved between the CPU and the GPU';
COMMENT ON COLUMN migrations.pid IS 'process that the memory belongs to';
COMMENT ON COLUMN migrations.bytes IS 'size, bytes';
COMMENT ON COLUMN migrations.to_host IS 'true where pages move to the CPU, false where they move to a GPU';
COMMENT ON COLUMN migrations.by_prefetch IS 'true where the program asked for it, as with cudaMemPrefetchAsync';
COMMENT ON COLUMN migrations.by_touch IS 'true where a page fault moved it, or a page beside it, from or to the CPU';
