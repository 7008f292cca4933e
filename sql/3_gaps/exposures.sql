-- Communication and copies while nothing computes: the parts of those ops that no computing op covers.
-- Where both run, communication counts: it is what the others wait for.
CREATE TABLE exposures AS
WITH moving AS (
    SELECT op_id, kind, gpu, start_ns, end_ns FROM window_ops WHERE kind <> 'compute'
),

reaches AS (
    SELECT
        *,
        max(end_ns) OVER (PARTITION BY gpu ORDER BY start_ns, op_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until_ns,
        max(end_ns) OVER (PARTITION BY gpu) AS last_ns
    FROM moving
),

islands AS (
    SELECT
        gpu,
        start_ns,
        coalesce(lead(until_ns) OVER (PARTITION BY gpu ORDER BY start_ns, op_id), last_ns) AS end_ns
    FROM reaches
    WHERE until_ns IS NULL OR start_ns > until_ns
),

-- Of a million computing ops few run beside these. They are found by time, in four cells to each of these islands.
cells AS (
    SELECT greatest(1, (w.end_ns - w.start_ns) // greatest(1, 4 * (SELECT count(*) FROM islands))) AS ns FROM "window" AS w
),

touched AS (
    SELECT DISTINCT i.gpu, unnest(range(i.start_ns // c.ns, i.end_ns // c.ns + 1)) AS cell FROM islands AS i, cells AS c
),

compute AS (
    SELECT
        o.gpu,
        o.start_ns,
        o.end_ns,
        max(o.end_ns) OVER (
            PARTITION BY o.gpu ORDER BY o.start_ns, o.op_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS computing_until_ns
    FROM (SELECT * FROM window_ops WHERE kind = 'compute' AND gpu IN (SELECT gpu FROM moving)) AS o
    CROSS JOIN cells AS c
    LEFT JOIN touched AS s ON s.gpu = o.gpu AND s.cell = o.start_ns // c.ns
    LEFT JOIN touched AS e ON e.gpu = o.gpu AND e.cell = o.end_ns // c.ns
    WHERE o.end_ns // c.ns - o.start_ns // c.ns > 1 OR s.cell IS NOT NULL OR e.cell IS NOT NULL
),

points AS (
    SELECT gpu, start_ns AS at_ns FROM moving
    UNION
    SELECT gpu, end_ns FROM moving
    UNION
    SELECT gpu, all_arrived_ns FROM collectives
    UNION
    SELECT gpu, start_ns FROM compute WHERE computing_until_ns IS NULL OR start_ns > computing_until_ns
    UNION
    SELECT gpu, computing_until_ns FROM compute WHERE start_ns > computing_until_ns
    UNION
    SELECT gpu, max(end_ns) FROM compute GROUP BY gpu
),

-- how far compute, and communication, reach from each start: one row for each, since ops may begin at the same time
computing AS (
    SELECT gpu, start_ns, max(greatest(end_ns, computing_until_ns)) AS until_ns FROM compute GROUP BY gpu, start_ns
),

communicating AS (
    SELECT gpu, start_ns, max(max(end_ns)) OVER (PARTITION BY gpu ORDER BY start_ns) AS until_ns, max(op_id) AS op_id
    FROM moving
    WHERE kind = 'communication'
    GROUP BY gpu, start_ns
),

copying AS (
    SELECT gpu, start_ns, max(op_id) AS op_id FROM moving WHERE kind = 'copy' GROUP BY gpu, start_ns
),

pieces AS (
    SELECT i.gpu, p.at_ns AS start_ns, coalesce(lead(p.at_ns) OVER (PARTITION BY i.gpu, i.start_ns ORDER BY p.at_ns), i.end_ns) AS end_ns
    FROM points AS p
    ASOF INNER JOIN islands AS i ON i.gpu = p.gpu AND p.at_ns >= i.start_ns
    WHERE p.at_ns < i.end_ns
)

SELECT
    p.gpu,
    p.start_ns,
    p.end_ns,
    CASE WHEN n.until_ns > p.start_ns THEN 'communication' ELSE 'copy' END AS kind,
    CASE WHEN n.until_ns > p.start_ns THEN n.op_id ELSE m.op_id END AS op_id
FROM pieces AS p
ASOF LEFT JOIN computing AS c ON c.gpu = p.gpu AND p.start_ns >= c.start_ns
ASOF LEFT JOIN communicating AS n ON n.gpu = p.gpu AND p.start_ns >= n.start_ns
ASOF LEFT JOIN copying AS m ON m.gpu = p.gpu AND p.start_ns >= m.start_ns
WHERE coalesce(c.until_ns, p.start_ns) <= p.start_ns AND p.end_ns > p.start_ns;

COMMENT ON TABLE exposures IS 'communication and copies in which nothing computes';
COMMENT ON COLUMN exposures.gpu IS 'physical GPU';
COMMENT ON COLUMN exposures.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN exposures.end_ns IS 'end, ns';
COMMENT ON COLUMN exposures.kind IS 'communication or copy';
COMMENT ON COLUMN exposures.op_id IS 'the latest op of that kind, in ops';
