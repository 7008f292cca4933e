-- One row for each gap that ends with a copy, or in which files are used or GPU code is loaded: facts about the whole gap. They
-- decide the cause of segments in which the launching thread runs code that says nothing about itself.
-- A call that samples find in something else, as a queue between processes, used no file, and neither do brief calls like it.
-- reads: activities, batch_bytes, copies, gaps, matched_segments, own_work_ns, read_backs, sampled_calls, segments
CREATE TABLE gap_facts AS
WITH inside AS (
    SELECT
        s.gap_id,
        sum(CASE WHEN s.state = 'io' THEN s.end_ns - s.start_ns ELSE 0 END) AS io_ns,
        bool_or(s.state = 'module') AS loads_module
    FROM segments AS s
    ANTI JOIN (SELECT * FROM sampled_calls WHERE cause <> 'storage_io') AS c
        ON c.global_tid = s.on_global_tid AND c.name_id = s.name_id AND s.end_ns - s.start_ns < own_work_ns()
    WHERE
        s.state IN ('io', 'module')
        AND s.segment_id NOT IN (SELECT segment_id FROM matched_segments WHERE cause NOT IN ('storage_io', 'module_loading'))
    GROUP BY s.gap_id
),

-- the labels of a batch may be copied before its images
batches AS (
    SELECT a.gpu, a.start_ns
    FROM copies AS c
    INNER JOIN activities AS a ON a.activity_id = c.activity_id
    WHERE c.direction = 'Host-to-Device' AND c.bytes >= batch_bytes()
),

uploads AS (
    SELECT g.gap_id, g.gpu, g.start_ns, g.end_ns - g.start_ns >= own_work_ns() AS long
    FROM gaps AS g
    INNER JOIN copies AS c ON c.activity_id = g.gap_id AND c.direction = 'Host-to-Device'
    ASOF INNER JOIN batches AS b ON b.gpu = g.gpu AND g.end_ns <= b.start_ns
    ASOF LEFT JOIN (SELECT gpu, start_ns FROM activities WHERE kind = 'compute' AND EXISTS (FROM batches)) AS a
        ON a.gpu = g.gpu AND g.end_ns <= a.start_ns
    WHERE b.start_ns <= a.start_ns OR a.start_ns IS NULL
),

downloads AS (
    SELECT a.gpu, a.start_ns, c.bytes
    FROM copies AS c
    INNER JOIN activities AS a ON a.activity_id = c.activity_id
    WHERE c.direction = 'Device-to-Host' AND EXISTS (FROM uploads WHERE long)
),

computed AS (
    SELECT u.gap_id, u.gpu, u.start_ns, a.start_ns AS computed_ns
    FROM uploads AS u
    ASOF LEFT JOIN (SELECT gpu, start_ns FROM activities WHERE kind = 'compute' AND EXISTS (FROM downloads)) AS a
        ON a.gpu = u.gpu AND u.start_ns > a.start_ns
    WHERE u.long
),

returned AS (
    SELECT c.gap_id, sum(r.bytes) AS bytes
    FROM downloads AS r
    ASOF INNER JOIN computed AS c ON c.gpu = r.gpu AND r.start_ns < c.start_ns
    WHERE coalesce(r.start_ns > c.computed_ns, true)
    GROUP BY c.gap_id
)

SELECT
    g.gap_id,
    g.end_ns - g.start_ns AS length_ns,
    c.direction,
    c.bytes,
    coalesce(i.io_ns, 0) AS io_ns,
    coalesce(i.loads_module, false) AS loads_module,
    b.activity_id IS NOT NULL AS read_back,
    u.gap_id IS NOT NULL AS upload,
    coalesce(r.bytes, 0) AS returned_bytes
FROM gaps AS g
LEFT JOIN copies AS c ON c.activity_id = g.gap_id
LEFT JOIN read_backs AS b ON b.activity_id = g.gap_id
LEFT JOIN inside AS i ON i.gap_id = g.gap_id
LEFT JOIN uploads AS u ON u.gap_id = g.gap_id
LEFT JOIN returned AS r ON r.gap_id = g.gap_id
WHERE c.activity_id IS NOT NULL OR i.gap_id IS NOT NULL;

COMMENT ON TABLE gap_facts IS 'facts about whole gaps that end with a copy, or hold file calls or the loading of GPU code';
COMMENT ON COLUMN gap_facts.length_ns IS 'length of the gap, ns';
COMMENT ON COLUMN gap_facts.direction IS 'direction of the copy that ends it; NULL where no copy does';
COMMENT ON COLUMN gap_facts.bytes IS 'size of that copy, bytes';
COMMENT ON COLUMN gap_facts.io_ns IS 'time of the gap in file reads and writes, ns';
COMMENT ON COLUMN gap_facts.loads_module IS 'true where the launching thread loads GPU code in it';
COMMENT ON COLUMN gap_facts.read_back IS 'true where a small blocking device-to-host copy ends it, as of .item()';
COMMENT ON COLUMN gap_facts.upload IS 'true where a host-to-device copy ends it, and one of batch_bytes() or more, this or another, runs before the next kernel';
COMMENT ON COLUMN gap_facts.returned_bytes IS 'where it is long and an upload ends it, what came back from the GPU between its last kernel and the gap, bytes';
