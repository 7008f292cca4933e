-- One row: how many pushed NVTX ranges have no end, although they were popped: they lie in a range of their thread that was
-- closed, or a later range of their name was. In 275 sound traces no pushed range lacks its end.
-- reads: is_nvtx, export.NVTX_EVENTS
CREATE TABLE contradictory_ranges AS
WITH pushed AS (
    SELECT "start", "end", globalTid, domainId, coalesce(CAST(textId AS VARCHAR), text) AS name
    FROM export.NVTX_EVENTS
    WHERE is_nvtx(eventType, 'NvtxPushPopRange')
),

open_ranges AS (
    SELECT * FROM pushed WHERE "end" IS NULL
),

closed_ranges AS (
    SELECT globalTid, domainId, name, "start", max("end") OVER until_now AS closed_ns
    FROM pushed
    WHERE "end" IS NOT NULL AND EXISTS (FROM open_ranges)
    WINDOW until_now AS (PARTITION BY globalTid, domainId ORDER BY "start")
),

of_name AS (
    SELECT globalTid, domainId, name, max("start") AS last_start_ns FROM closed_ranges GROUP BY globalTid, domainId, name
),

counted AS (
    SELECT count_if(coalesce(c.closed_ns > o."start", false) OR coalesce(n.last_start_ns > o."start", false)) AS "rows"
    FROM open_ranges AS o
    ASOF LEFT JOIN closed_ranges AS c
        ON c.globalTid = o.globalTid AND c.domainId IS NOT DISTINCT FROM o.domainId AND o."start" > c."start"
    LEFT JOIN of_name AS n ON n.globalTid = o.globalTid AND n.domainId IS NOT DISTINCT FROM o.domainId AND n.name = o.name
)

SELECT 'pushed NVTX ranges that were popped, and have no end' AS kind, "rows", (SELECT count(*) FROM pushed) AS all_rows
FROM counted;

COMMENT ON TABLE contradictory_ranges IS 'how many pushed NVTX ranges have no end, although they were popped';
COMMENT ON COLUMN contradictory_ranges.kind IS 'the rows, in words';
