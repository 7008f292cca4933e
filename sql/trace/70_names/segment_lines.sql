-- Lost time by Python line: each segment, split where the Python sample of its thread changes. A sample counts until the next
-- one, but for no longer than two of the usual distances: of a thread that is not sampled for longer, nothing is known.
-- reads: trace.lost_segments, trace.python_samples
CREATE VIEW segment_lines AS
WITH following AS (
    SELECT *, lead(at_ns) OVER (PARTITION BY global_tid ORDER BY at_ns) AS next_ns
    FROM trace.python_samples
),

samples AS (
    SELECT
        *,
        at_ns + least(next_ns - at_ns, 2 * CAST(median(next_ns - at_ns) OVER () AS BIGINT)) AS until_ns
    FROM following
),

-- segments of one GPU do not overlap, whatever their threads
sampled_threads AS (
    SELECT DISTINCT gpu, on_global_tid FROM trace.lost_segments
),

cuts AS (
    SELECT segment_id, start_ns AS at_ns FROM trace.lost_segments
    UNION
    SELECT s.segment_id, p.at_ns
    FROM (
        SELECT t.gpu, t.on_global_tid, unnest([p.at_ns, p.until_ns]) AS at_ns
        FROM samples AS p
        INNER JOIN sampled_threads AS t ON t.on_global_tid = p.global_tid
    ) AS p
    ASOF INNER JOIN trace.lost_segments AS s ON s.gpu = p.gpu AND s.on_global_tid = p.on_global_tid AND p.at_ns >= s.start_ns
    WHERE p.at_ns < s.end_ns
),

pieces AS (
    SELECT
        s.segment_id,
        s.on_global_tid,
        c.at_ns AS start_ns,
        coalesce(lead(c.at_ns) OVER (PARTITION BY c.segment_id ORDER BY c.at_ns), s.end_ns) AS end_ns
    FROM cuts AS c
    INNER JOIN trace.lost_segments AS s ON s.segment_id = c.segment_id
),

placed AS (
    SELECT
        i.segment_id,
        i.end_ns - i.start_ns AS length_ns,
        p.until_ns > i.start_ns AS seen,
        p.file,
        p.line,
        p.function
    FROM pieces AS i
    ASOF LEFT JOIN samples AS p ON p.global_tid = i.on_global_tid AND i.start_ns >= p.at_ns
)

SELECT
    segment_id,
    CASE WHEN seen THEN file END AS file,
    CASE WHEN seen THEN line END AS line,
    CASE WHEN seen THEN function END AS function,
    CAST(sum(length_ns) AS BIGINT) AS length_ns
FROM placed
GROUP BY ALL;

COMMENT ON VIEW segment_lines IS 'each segment split by the Python line that its thread was on; the lines of a segment add up to it';
COMMENT ON COLUMN segment_lines.segment_id IS 'as in segments';
COMMENT ON COLUMN segment_lines.file IS 'file of the innermost frame that is not in a package; NULL where no sample tells';
COMMENT ON COLUMN segment_lines.line IS 'line in that file';
COMMENT ON COLUMN segment_lines.function IS 'function of that frame';
COMMENT ON COLUMN segment_lines.length_ns IS 'how much of the segment, ns';
