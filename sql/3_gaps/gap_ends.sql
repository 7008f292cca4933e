-- What a gap's submitter was about to submit, and what else happened in the gap: facts about the whole gap, which
-- decide the cause of slices in which the thread runs code that says nothing of itself. Only the gaps that a
-- CPU made and that are long enough, or whose op is a copy, have such facts.
CREATE TABLE gap_ends AS
WITH inside AS (
    SELECT
        gap_id,
        sum(CASE WHEN state = 'io' THEN end_ns - start_ns ELSE 0 END) AS io_ns,
        bool_or(state = 'module') AS loads_module
    FROM slices
    WHERE gap_id IN (SELECT gap_id FROM gap_cuts)
    GROUP BY gap_id
)

SELECT
    g.gap_id,
    g.end_ns - g.start_ns AS length_ns,
    o.direction,
    o.bytes,
    coalesce(i.io_ns, 0) AS io_ns,
    coalesce(i.loads_module, false) AS loads_module,
    -- 64 KB: what a program reads back to look at (a loss, a token) is far smaller, a tensor to keep is larger
    coalesce(o.direction = 'Device-to-Host' AND o.bytes <= 65536 AND b.pid IS NOT NULL, false) AS read_back,
    -- 4 KB: a batch of token ids is larger, a scalar or a seed smaller
    coalesce(o.direction = 'Host-to-Device' AND o.bytes >= 4096, false) AS upload
FROM (
    SELECT gap_id, start_ns, end_ns
    FROM gaps
    WHERE gap_id IN (SELECT op_id FROM copies UNION ALL SELECT gap_id FROM gap_cuts)
) AS g
LEFT JOIN copies AS o ON o.op_id = g.gap_id
LEFT JOIN ops AS w ON w.op_id = o.op_id
LEFT JOIN (
    SELECT DISTINCT pid, global_tid, start_ns FROM blocking_calls
) AS b ON b.pid = w.pid AND b.global_tid = w.global_tid AND b.start_ns = w.launch_start_ns
LEFT JOIN inside AS i ON i.gap_id = g.gap_id
WHERE o.op_id IS NOT NULL OR i.gap_id IS NOT NULL;

COMMENT ON TABLE gap_ends IS 'facts about gaps that were cut or that end with a copy';
COMMENT ON COLUMN gap_ends.gap_id IS 'as in gaps';
COMMENT ON COLUMN gap_ends.length_ns IS 'length of the gap, ns';
COMMENT ON COLUMN gap_ends.direction IS 'direction of the copy that ends it; NULL where no copy does';
COMMENT ON COLUMN gap_ends.bytes IS 'size of that copy, bytes';
COMMENT ON COLUMN gap_ends.io_ns IS 'time of the gap in file reads and writes, ns';
COMMENT ON COLUMN gap_ends.loads_module IS 'true where the submitter loads GPU code in it';
COMMENT ON COLUMN gap_ends.read_back IS 'true where a small blocking device-to-host copy ends it, as of .item()';
COMMENT ON COLUMN gap_ends.upload IS 'true where a host-to-device copy of a batch''s size ends it';
