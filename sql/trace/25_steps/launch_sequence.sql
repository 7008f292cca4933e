-- One row for each activity of the busiest process on its GPU, in order of time, with what it is called as a marker of steps: a
-- kernel by its name, a copy by its direction. Migrations are left out, since no call launches them. Empty where NVTX ranges or
-- an optimizer mark the steps.
-- reads: activities, busiest_gpu, copies, graph_launches, migrations, optimizer_marks, options, step_ranges
CREATE VIEW launch_sequence AS
SELECT
    a.start_ns,
    a.pid,
    a.stream,
    a.launch_start_ns,
    CASE
        WHEN a.kind = 'compute' THEN coalesce(CAST(a.name_id AS VARCHAR), 'graph')
        WHEN c.direction IN ('Device-to-Host', 'Host-to-Device') THEN c.direction
    END AS name,
    g.graph_id,
    row_number() OVER (ORDER BY a.start_ns, a.activity_id) AS place
FROM activities AS a
INNER JOIN busiest_gpu AS b ON b.pid = a.pid AND b.gpu = a.gpu
LEFT JOIN graph_launches AS g ON g.activity_id = a.activity_id
LEFT JOIN copies AS c ON c.activity_id = a.activity_id
ANTI JOIN migrations AS m ON m.activity_id = a.activity_id
WHERE
    NOT EXISTS (FROM step_ranges) AND NOT EXISTS (FROM optimizer_marks) AND (SELECT step_name FROM options) IS NULL;

COMMENT ON VIEW launch_sequence IS 'activities of the busiest process without migrations, in order; empty where NVTX ranges or an optimizer mark the steps';
COMMENT ON COLUMN launch_sequence.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN launch_sequence.name IS 'id of the kernel''s name, graph, or Device-to-Host or Host-to-Device; NULL for memsets and other copies';
COMMENT ON COLUMN launch_sequence.graph_id IS 'the graph; NULL for other activities';
COMMENT ON COLUMN launch_sequence.place IS 'number in order of time, from 1';
