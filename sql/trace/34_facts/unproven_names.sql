-- One row for each name of NVTX ranges under which nothing is done of the cause for which it speaks, as where a forward pass is
-- called checkpoint. Names that are called the same are one.
--
-- Some causes state in which states a thread must be to prove such a name: a hundredth of the time that is lost under it has to
-- be in one of them, or to belong to copies of results to the host where these prove it. GPU code is compiled first and loaded
-- later, so that a name is proven, too, where code is loaded in the same gap. Without OS calls such states may be missing, so
-- that no name is unproven. A library's names need no proof.
-- reads: cause_ranges, copies, gap_facts, matched_segments, proving_states, read_back_bytes, recorded_tables, segments
CREATE TABLE unproven_names AS
WITH to_prove AS (
    SELECT * FROM cause_ranges WHERE refutable AND NOT of_library AND cause IN (SELECT cause FROM proving_states)
),

pieces AS (
    SELECT
        n.cause,
        n.called,
        s.end_ns - s.start_ns AS length_ns,
        (n.cause, s.state) IN (SELECT (cause, state) FROM proving_states)
        OR m.cause IS NOT NULL
        OR (
            c.direction = 'Device-to-Host' AND c.bytes > read_back_bytes()
            AND (n.cause, 'download') IN (SELECT (cause, state) FROM proving_states)
        )
        OR (f.loads_module AND (n.cause, 'module') IN (SELECT (cause, state) FROM proving_states)) AS proves
    FROM to_prove AS n
    INNER JOIN segments AS s ON s.range_id = n.range_id
    LEFT JOIN copies AS c ON c.activity_id = coalesce(s.activity_id, s.gap_id)
    LEFT JOIN gap_facts AS f ON f.gap_id = s.gap_id
    LEFT JOIN matched_segments AS m ON m.segment_id = s.segment_id AND m.cause = n.cause
)

SELECT cause, called
FROM pieces
WHERE 'OSRT_API' IN (SELECT table_name FROM recorded_tables)
GROUP BY cause, called
HAVING coalesce(sum(length_ns) FILTER (proves), 0) < 0.01 * sum(length_ns);

COMMENT ON TABLE unproven_names IS 'names under which nothing is done of the cause for which they speak';
COMMENT ON COLUMN unproven_names.cause IS 'the cause for which it speaks';
COMMENT ON COLUMN unproven_names.called IS 'the name, as in called_names';
