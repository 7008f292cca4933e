-- One row for each NVTX domain. Libraries and the Python tracers have domains of their own, and are recognised by the name of the
-- domain.
-- reads: is_nvtx, pid_of, strings, export.NVTX_EVENTS
CREATE TABLE nvtx_domains AS
SELECT
    pid_of(e.globalTid) AS pid,
    e.domainId AS domain_id,
    any_value(coalesce(e.text, s.text)) AS name,
    count(DISTINCT coalesce(e.text, s.text)) AS names
FROM export.NVTX_EVENTS AS e
LEFT JOIN strings AS s ON s.string_id = e.textId
WHERE is_nvtx(e.eventType, 'NvtxDomainCreate')
GROUP BY ALL;

COMMENT ON TABLE nvtx_domains IS 'NVTX domains that the program or its libraries created';
COMMENT ON COLUMN nvtx_domains.domain_id IS 'id within the process';
COMMENT ON COLUMN nvtx_domains.name IS 'name of the domain';
COMMENT ON COLUMN nvtx_domains.names IS 'number of names that it was created with; 1 in a sound trace';
