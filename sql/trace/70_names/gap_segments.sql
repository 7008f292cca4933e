-- One row for each gap: its segments as a list.
-- reads: main.segments
CREATE VIEW gap_segments AS
SELECT
    gap_id,
    list(
        struct_pack(start_ns := start_ns, end_ns := end_ns, state := state, "call" := "call", cause := cause, basis := basis)
        ORDER BY start_ns
    ) AS segments
FROM main.segments
WHERE gap_id IS NOT NULL
GROUP BY gap_id;

COMMENT ON VIEW gap_segments IS 'the segments of each gap';
COMMENT ON COLUMN gap_segments.segments IS 'start_ns, end_ns, state, call, cause and basis of each segment, in order';
