-- One row: how many GPU activities have the correlation id of a call that launches nothing of their kind: the call, or its name,
-- is another than it was. Kernels and graphs are launched by calls of the family launch, copies and memsets by those of the
-- family copy, or as nodes of a graph: so in all 1.3 million activities of 71 sound traces.
-- reads: activities, calls
CREATE TABLE mislaunched_activities AS
SELECT
    'activities launched by a call that launches nothing of their kind' AS kind,
    count_if(c.family NOT IN ('launch', 'copy') OR a.kind <> 'copy') AS "rows",
    (SELECT count(launch_start_ns) FROM activities) AS all_rows
FROM activities AS a
INNER JOIN (SELECT global_tid, start_ns, family FROM calls WHERE family <> 'launch') AS c
    ON c.global_tid = a.global_tid AND c.start_ns = a.launch_start_ns;

COMMENT ON TABLE mislaunched_activities IS 'how many activities contradict the call that launched them';
COMMENT ON COLUMN mislaunched_activities.kind IS 'the rows, in words';
COMMENT ON COLUMN mislaunched_activities.all_rows IS 'number of all that have a call';
