-- The stretches of lost time of each step that a report shows, gaps and exposed ops, numbered from the longest: the `gap=3` of
-- a link. The 30 longest are told in full.
CREATE VIEW page_places AS
WITH stretches AS (
    SELECT
        n.step,
        s.gpu,
        coalesce(s.gap_id, s.op_id) AS place_id,
        s.gap_id IS NOT NULL AS is_gap,
        min(greatest(s.start_ns, n.start_ns)) AS start_ns,
        max(least(s.end_ns, n.end_ns)) AS end_ns,
        CAST(sum(least(s.end_ns, n.end_ns) - greatest(s.start_ns, n.start_ns)) AS BIGINT) AS lost_ns,
        CAST(arg_max(s.cause, s.end_ns - s.start_ns) AS VARCHAR) AS cause
    FROM settled AS s
    INNER JOIN page_steps AS n ON s.start_ns < n.end_ns AND s.end_ns > n.start_ns
    WHERE n.resolution_ns IS NOT NULL
    GROUP BY n.step, s.gpu, s.gap_id, s.op_id
)

SELECT
    p.step,
    row_number() OVER (PARTITION BY p.step ORDER BY p.lost_ns DESC, p.start_ns, p.gpu, p.place_id) AS number,
    p.gpu,
    p.place_id,
    p.start_ns,
    p.end_ns,
    p.lost_ns,
    p.cause,
    p.is_gap,
    g.before,
    CASE WHEN p.is_gap THEN g.after ELSE o.name END AS after,
    coalesce(g.thread || ' (' || g.tid || ')', t.thread) AS thread,
    coalesce(g.launch_start_ns, x.launch_start_ns) AS launch_start_ns
FROM stretches AS p
LEFT JOIN main.gaps AS g ON p.is_gap AND g.gap_id = p.place_id
LEFT JOIN op_names AS o ON o.op_id = p.place_id AND NOT p.is_gap
LEFT JOIN ops AS x ON x.op_id = p.place_id AND NOT p.is_gap
LEFT JOIN thread_names AS t ON t.global_tid = x.global_tid
ORDER BY p.step, number;

COMMENT ON VIEW page_places IS 'stretches of lost time of the steps that a report shows: gaps and exposed ops';
COMMENT ON COLUMN page_places.step IS 'as in page_steps';
COMMENT ON COLUMN page_places.number IS 'number in the step, from 1 for the longest';
COMMENT ON COLUMN page_places.gpu IS 'physical GPU';
COMMENT ON COLUMN page_places.place_id IS 'gap_id of a gap, op_id of an exposed op';
COMMENT ON COLUMN page_places.start_ns IS 'start inside the step, ns since the session began';
COMMENT ON COLUMN page_places.end_ns IS 'end inside the step, ns';
COMMENT ON COLUMN page_places.lost_ns IS 'time lost there, ns';
COMMENT ON COLUMN page_places.cause IS 'cause of the longest slice';
COMMENT ON COLUMN page_places.is_gap IS 'true for a gap, false for an exposed op';
COMMENT ON COLUMN page_places.before IS 'the op that ended as the gap began';
COMMENT ON COLUMN page_places.after IS 'the op that ends it, or the exposed op';
COMMENT ON COLUMN page_places.thread IS 'name of the submitter of that op, and in brackets its thread id';
COMMENT ON COLUMN page_places.launch_start_ns IS 'CPU start of the call that submitted it, ns';
