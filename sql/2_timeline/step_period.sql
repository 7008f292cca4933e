-- Without NVTX, the period of the launch sequence: a kernel (or graph) that runs once in each iteration has the same
-- number of kernels between its runs. A kernel of each layer has not: the way from the last layer to the next
-- iteration's first is longer. So the best marker is the one whose regular intervals cover the most time, and
-- of equal ones the most frequent.
CREATE TABLE step_marks AS
WITH busiest AS (
    SELECT pid, gpu FROM ops WHERE kind = 'compute' GROUP BY pid, gpu ORDER BY count(*) DESC, gpu, pid LIMIT 1
),

sequence AS (
    SELECT
        o.start_ns,
        o.pid,
        coalesce(CAST(o.name_id AS VARCHAR), 'graph') AS name,
        row_number() OVER (ORDER BY o.start_ns, o.op_id) AS place
    FROM ops AS o
    INNER JOIN busiest AS b ON b.pid = o.pid AND b.gpu = o.gpu
    WHERE o.kind = 'compute' AND NOT EXISTS (FROM step_ranges) AND (SELECT step_name FROM choices) IS NULL
),

intervals AS (
    SELECT
        name,
        start_ns,
        lead(place) OVER (PARTITION BY name ORDER BY place) - place AS kernels,
        lead(start_ns) OVER (PARTITION BY name ORDER BY place) - start_ns AS length_ns
    FROM sequence
),

usual AS (
    SELECT name, mode(kernels) AS kernels, count(*) + 1 AS times
    FROM intervals
    WHERE kernels IS NOT NULL
    GROUP BY name
    HAVING count(*) >= 3
),

scored AS (
    SELECT i.name, u.times, u.kernels, sum(i.length_ns) AS covered_ns, count(*) AS regular
    FROM intervals AS i
    INNER JOIN usual AS u ON u.name = i.name AND u.kernels = i.kernels
    GROUP BY ALL
),

-- at least half of the traced time must be regular, and within a tenth of the best the shortest period wins
marker AS (
    SELECT s.name
    FROM scored AS s
    WHERE s.covered_ns >= 0.9 * (SELECT max(covered_ns) FROM scored)
        AND s.covered_ns >= 0.5 * (SELECT sum(median_ns * times) FROM (
            SELECT median(length_ns) AS median_ns, count(*) AS times FROM intervals WHERE name = s.name
        ))
        AND s.regular >= 3
    ORDER BY s.times DESC, s.covered_ns DESC, s.name
    LIMIT 1
)

SELECT q.pid, q.start_ns, m.name
FROM sequence AS q
INNER JOIN marker AS m ON m.name = q.name
ORDER BY q.start_ns;

COMMENT ON TABLE step_marks IS 'where the launch sequence begins again; empty where NVTX ranges mark the steps, or nothing repeats';
COMMENT ON COLUMN step_marks.pid IS 'process whose loop it is';
COMMENT ON COLUMN step_marks.start_ns IS 'GPU start of the marking op, ns since the session began';
COMMENT ON COLUMN step_marks.name IS 'id of the marking kernel''s name, or graph';
