-- One row for each NVTX range and each name on its path that speaks for a cause. The name of the step itself does not count: a
-- range "batch 17" is the whole iteration. A name such as checkpoint is borne out only where something of the kind is done: a
-- hundredth of the lost time under that name is in a state that proves the cause, or belongs to copies of results to the host.
-- Without OS calls nothing can tell, and the name counts.
-- reads: copies, name_patterns, paths, proving_states, range_paths, read_back_bytes, recorded_tables, segments, window
CREATE TABLE called_ranges AS
WITH every_name AS (
    SELECT DISTINCT unnest(names) AS name, unnest(called) AS called FROM paths
),

spoken AS (
    SELECT e.name, p.cause, bool_and(p.needs_proof) AS needs_proof
    FROM every_name AS e
    INNER JOIN name_patterns AS p ON regexp_matches(e.name, p.pattern, 'i')
    WHERE e.called IS DISTINCT FROM (SELECT step_name FROM "window")
    GROUP BY e.name, p.cause
),

named AS (
    SELECT r.range_id, s.cause, s.name, s.needs_proof
    FROM paths AS p
    INNER JOIN spoken AS s ON list_contains(p.names, s.name)
    INNER JOIN range_paths AS r ON r.path_id = p.path_id
),

pieces AS (
    SELECT
        n.cause,
        n.name,
        s.end_ns - s.start_ns AS length_ns,
        c.activity_id IS NOT NULL
        OR (n.cause, s.state) IN (SELECT (cause, state) FROM proving_states) AS proves
    FROM named AS n
    INNER JOIN segments AS s ON s.range_id = n.range_id
    LEFT JOIN copies AS c
        ON
            c.activity_id = coalesce(s.activity_id, s.gap_id) AND c.direction = 'Device-to-Host' AND c.bytes > read_back_bytes()
    WHERE n.needs_proof
),

proven AS (
    SELECT cause, name
    FROM pieces
    GROUP BY cause, name
    HAVING coalesce(sum(length_ns) FILTER (proves), 0) >= 0.01 * sum(length_ns)
)

SELECT
    n.range_id,
    n.cause,
    n.name,
    NOT n.needs_proof OR p.name IS NOT NULL OR 'OSRT_API' NOT IN (SELECT table_name FROM recorded_tables) AS is_borne_out
FROM named AS n
LEFT JOIN proven AS p ON p.cause = n.cause AND p.name = n.name;

COMMENT ON TABLE called_ranges IS 'NVTX ranges under names that speak for a cause';
COMMENT ON COLUMN called_ranges.range_id IS 'the range, in main_ranges';
COMMENT ON COLUMN called_ranges.cause IS 'id of the cause';
COMMENT ON COLUMN called_ranges.name IS 'the name, of the range or of one around it';
COMMENT ON COLUMN called_ranges.is_borne_out IS 'false where nothing is done there that the name speaks of';
