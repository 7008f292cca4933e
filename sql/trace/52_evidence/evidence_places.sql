-- The three places where each cause costs most, to look at in Nsight's own timeline: gaps and exposed activities. Only the 64
-- longest segments of each cause are looked at.
-- reads: nvtx_paths, window_segments
CREATE TABLE evidence_places AS
WITH longest AS (
    SELECT
        cause,
        unnest(
            max_by(
                struct_pack(gpu, gap_id, activity_id, start_ns, end_ns, range_id), row(end_ns - start_ns, -start_ns, -gpu), 64
            ),
            recursive := true
        )
    FROM window_segments
    GROUP BY cause
),

places AS (
    SELECT
        cause,
        gpu,
        min(start_ns) AS start_ns,
        max(end_ns) AS end_ns,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns,
        arg_max(range_id, end_ns - start_ns) AS range_id
    FROM longest
    GROUP BY cause, gpu, gap_id, activity_id
)

SELECT p.cause, p.gpu, p.start_ns, p.end_ns, p.lost_ns, n.path
FROM places AS p
LEFT JOIN nvtx_paths AS n ON n.range_id = p.range_id
QUALIFY row_number() OVER (PARTITION BY p.cause ORDER BY p.lost_ns DESC, p.start_ns, p.gpu) <= 3
ORDER BY p.cause, p.lost_ns DESC, p.start_ns, p.gpu;

COMMENT ON TABLE evidence_places IS 'the three worst places of each cause';
COMMENT ON COLUMN evidence_places.start_ns IS 'start as in Nsight''s timeline, ns since the session began';
COMMENT ON COLUMN evidence_places.lost_ns IS 'time lost there, ns';
COMMENT ON COLUMN evidence_places.path IS 'NVTX path; NULL outside of all ranges';
