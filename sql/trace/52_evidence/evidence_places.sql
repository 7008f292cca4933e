-- The three places where each cause costs most, to look at in Nsight's own timeline: gaps and exposed activities.
-- reads: paths, range_paths, window_segments
CREATE TABLE evidence_places AS
WITH places AS (
    SELECT
        cause,
        gpu,
        min(start_ns) AS start_ns,
        max(end_ns) AS end_ns,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns,
        arg_max_null(range_id, end_ns - start_ns) AS range_id
    FROM window_segments
    GROUP BY cause, gpu, gap_id, activity_id
),

worst AS (
    SELECT
        cause,
        unnest(max_by(struct_pack(gpu, start_ns, end_ns, lost_ns, range_id), row(lost_ns, -start_ns, -gpu), 3), recursive := true)
    FROM places
    GROUP BY cause
)

SELECT p.cause, p.gpu, p.start_ns, p.end_ns, p.lost_ns, array_to_string(n.called, ' > ') AS path
FROM worst AS p
LEFT JOIN range_paths AS r ON r.range_id = p.range_id
LEFT JOIN paths AS n ON n.path_id = r.path_id
ORDER BY p.cause, p.lost_ns DESC, p.start_ns, p.gpu;

COMMENT ON TABLE evidence_places IS 'the three worst places of each cause';
COMMENT ON COLUMN evidence_places.start_ns IS 'start as in Nsight''s timeline, ns since the session began';
COMMENT ON COLUMN evidence_places.lost_ns IS 'time lost there, ns';
COMMENT ON COLUMN evidence_places.path IS 'NVTX path of the longest segment there, of names as in called_names; NULL outside of all ranges';
