-- One row if a GPU communicates while no other one does, although others do at another time: its collectives have no partners. In
-- 16 sound traces of several GPUs all of them begin before the first one ends. A part of a trace may lack the partners.
-- reads: activities, partly_read
CREATE TABLE lone_collectives AS
WITH spans AS (
    SELECT gpu, min(start_ns) AS start_ns, max(end_ns) AS end_ns, count(*) AS collectives
    FROM activities
    WHERE kind = 'communication' AND NOT EXISTS (FROM partly_read)
    GROUP BY gpu
),

accompanied AS (
    SELECT DISTINCT s.gpu
    FROM spans AS s
    INNER JOIN spans AS o ON o.gpu <> s.gpu AND o.start_ns < s.end_ns AND o.end_ns > s.start_ns
)

SELECT
    'collectives of a GPU while no other one communicates' AS kind,
    sum(collectives) FILTER (gpu NOT IN (FROM accompanied)) AS "rows",
    sum(collectives) AS all_rows
FROM spans
HAVING count(*) > 1;

COMMENT ON TABLE lone_collectives IS 'how many collectives are of GPUs that communicate while no other one does';
COMMENT ON COLUMN lone_collectives.kind IS 'the rows, in words';
