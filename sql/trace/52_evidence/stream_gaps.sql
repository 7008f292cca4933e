-- One row for each gap of a single stream, within a regime of the window. Such a gap costs nothing while the GPU computes on
-- another stream, so these gaps are listed and never added up as idle time. computing_ns says how much of each the GPU computed
-- on other streams.
-- reads: window_activities
CREATE VIEW stream_gaps AS
WITH bare AS (
    SELECT
        gpu, pid, stream, activity_id AS after_activity_id, global_tid,
        max(end_ns) OVER (
            PARTITION BY gpu, pid, stream, regime ORDER BY start_ns, activity_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS start_ns,
        start_ns AS end_ns
    FROM window_activities
),

-- compute time of the GPU before each of its computing activities began: the difference of two is the compute time between them
reached AS (
    SELECT
        gpu,
        activity_id,
        start_ns,
        end_ns,
        coalesce(
            max(end_ns) OVER (PARTITION BY gpu ORDER BY start_ns, activity_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
            start_ns
        ) AS reached_ns
    FROM window_activities
    WHERE kind = 'compute'
),

computed AS (
    SELECT
        gpu,
        start_ns,
        max(greatest(end_ns, reached_ns)) AS until_ns,
        sum(sum(greatest(0, end_ns - greatest(start_ns, reached_ns)))) OVER (PARTITION BY gpu ORDER BY start_ns) AS so_far_ns
    FROM reached
    GROUP BY gpu, start_ns
)

SELECT
    row_number() OVER (ORDER BY b.gpu, b.pid, b.stream, b.start_ns) AS stream_gap_id,
    b.gpu,
    b.pid,
    b.stream,
    b.start_ns,
    b.end_ns,
    b.after_activity_id,
    b.global_tid,
    CAST(
        coalesce(z.so_far_ns - greatest(0, z.until_ns - b.end_ns), 0)
        - coalesce(a.so_far_ns - greatest(0, a.until_ns - b.start_ns), 0)
        AS BIGINT
    ) AS computing_ns
FROM bare AS b
ASOF LEFT JOIN computed AS z ON z.gpu = b.gpu AND b.end_ns > z.start_ns
ASOF LEFT JOIN computed AS a ON a.gpu = b.gpu AND b.start_ns > a.start_ns
WHERE b.end_ns > b.start_ns;

COMMENT ON VIEW stream_gaps IS 'intervals in which one stream runs no activity; they cost nothing while the GPU computes on another stream';
COMMENT ON COLUMN stream_gaps.stream_gap_id IS 'number in order of GPU, process, stream and start';
COMMENT ON COLUMN stream_gaps.pid IS 'process of the stream';
COMMENT ON COLUMN stream_gaps.after_activity_id IS 'the activity that ends it';
COMMENT ON COLUMN stream_gaps.global_tid IS 'launching thread of that activity';
COMMENT ON COLUMN stream_gaps.computing_ns IS 'how much of it the GPU computed on other streams, ns';
