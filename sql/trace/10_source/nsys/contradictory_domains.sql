-- One row for each kind of NVTX event whose domain cannot be. A domain has an id within its process, and is created once, with a
-- name, before anything is in it. In 200 sound traces each has one name, and no range is in a domain that nobody created.
-- reads: is_nvtx, nvtx_domains, nvtx_ranges, pid_of, export.NVTX_EVENTS
CREATE TABLE contradictory_domains AS
WITH
-- 0 is the domain of all that is in no other
used AS (
    SELECT pid_of(globalTid) AS pid, domainId AS domain_id, count(*) AS times
    FROM export.NVTX_EVENTS
    WHERE domainId <> 0 AND is_nvtx(eventType, 'NvtxPushPopRange')
    GROUP BY ALL
)

SELECT 'NVTX domains of several names' AS kind, count(*) FILTER (names > 1) AS "rows", count(*) AS all_rows
FROM nvtx_domains
UNION ALL
SELECT 'NVTX ranges of domains that nobody created', coalesce(sum(u.times) FILTER (d.pid IS NULL), 0), sum(u.times)
FROM used AS u
LEFT JOIN nvtx_domains AS d ON d.pid = u.pid AND d.domain_id = u.domain_id
UNION ALL
SELECT 'states of the GIL in a domain of another name', count(*) FILTER (domain IS DISTINCT FROM 'GIL Trace'), count(*)
FROM nvtx_ranges
WHERE name IN ('Holding GIL', 'Waiting for GIL');

COMMENT ON TABLE contradictory_domains IS 'kinds of NVTX events whose domain cannot be, and how many there are';
COMMENT ON COLUMN contradictory_domains.kind IS 'the rows, in words';
