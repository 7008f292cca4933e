-- How much of each stream's work ran alone, and how much beside other streams?
-- A side stream with percent_alone near 100 does not overlap at all; near 0 it costs nothing.
WITH ordered AS (
    SELECT
        gpu, pid, stream, kind, end_ns,
        greatest(start_ns, coalesce(max(end_ns) OVER (
            PARTITION BY gpu, pid, stream ORDER BY start_ns, activity_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), start_ns)) AS start_ns
    FROM window_activities
),

-- the work of one stream, without overlaps
pieces AS (
    SELECT *, row_number() OVER () AS piece FROM ordered WHERE end_ns > start_ns
),

edges AS (
    SELECT gpu, at_ns, sum(change) AS change, sum(change * piece) AS piece_change
    FROM (
        SELECT gpu, start_ns AS at_ns, piece, 1 AS change FROM pieces
        UNION ALL
        SELECT gpu, end_ns, piece, -1 FROM pieces
    )
    GROUP BY gpu, at_ns
),

-- where one piece runs, the sum of the numbers of those that run is its own
counted AS (
    SELECT
        sum(change) OVER until_here AS running,
        sum(piece_change) OVER until_here AS piece,
        lead(at_ns) OVER until_here - at_ns AS length_ns
    FROM edges
    WINDOW until_here AS (PARTITION BY gpu ORDER BY at_ns)
),

alone AS (
    SELECT piece, sum(length_ns) AS alone_ns FROM counted WHERE running = 1 GROUP BY piece
)

SELECT
    p.gpu,
    p.pid,
    p.stream,
    p.kind,
    count(*) AS activities,
    round(sum(p.end_ns - p.start_ns) / 1e6, 3) AS running_ms,
    round(coalesce(sum(a.alone_ns), 0) / 1e6, 3) AS alone_ms,
    round(100 * coalesce(sum(a.alone_ns), 0) / sum(p.end_ns - p.start_ns), 1) AS percent_alone
FROM pieces AS p
LEFT JOIN alone AS a ON a.piece = p.piece
GROUP BY p.gpu, p.pid, p.stream, p.kind
ORDER BY running_ms DESC, p.gpu, p.pid, p.stream, p.kind;
