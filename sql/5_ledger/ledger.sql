-- Slices added up by cause, and by whatever else the ledger and the evidence ask of them.
CREATE TABLE loss_totals AS
SELECT t.gpu, t.pid, o.cause, o.basis, t.range_id, t.step, t.slices, t.lost_ns, t.longest_ns
FROM state_totals AS t
INNER JOIN outcomes AS o ON o.state = t.state AND o.claimed IS NOT DISTINCT FROM t.claimed;

-- The ledger: per GPU, compute and the lost time of each cause add up to the window, to the nanosecond.
CREATE TABLE ledger AS
SELECT
    gpu,
    cause,
    CAST(sum(lost_ns) AS BIGINT) AS lost_ns,
    CAST(sum(slices) AS BIGINT) AS slices,
    CAST(coalesce(sum(CASE WHEN basis = 'named' THEN lost_ns END), 0) AS BIGINT) AS named_ns,
    CAST(coalesce(sum(CASE WHEN basis = 'inferred' THEN lost_ns END), 0) AS BIGINT) AS inferred_ns
FROM loss_totals
GROUP BY gpu, cause
ORDER BY gpu, lost_ns DESC, cause;

CREATE TABLE devices AS
SELECT
    o.gpu, coalesce(g.name, 'GPU') AS name, w.end_ns - w.start_ns AS window_ns,
    -- what runs is computed, or exposed
    CAST(o.busy_ns - coalesce(e.exposed_ns, 0) AS BIGINT) AS compute_ns
FROM occupancy AS o
CROSS JOIN "window" AS w
LEFT JOIN gpus AS g ON g.gpu = o.gpu
LEFT JOIN (SELECT gpu, sum(end_ns - start_ns) AS exposed_ns FROM exposures GROUP BY gpu) AS e ON e.gpu = o.gpu
ORDER BY o.gpu;

-- A finding is worth a verdict from 3 % of the window. For queue_latency 10 %: the GPU needs 0.8 to 1.3 us between two
-- queued kernels, so that healthy programs with kernels of 25 us lose 4 to 6 % to it (resnet50, gil_fixed).
CREATE TABLE findings AS
SELECT
    l.cause,
    CAST(sum(l.lost_ns) AS BIGINT) AS lost_ns,
    CAST(sum(l.slices) AS BIGINT) AS slices,
    sum(l.named_ns) / sum(l.lost_ns) AS named_share,
    sum(l.inferred_ns) / sum(l.lost_ns) AS inferred_share,
    sum(l.lost_ns) / (SELECT sum(window_ns) FROM devices) AS share,
    sum(l.lost_ns) >= CASE WHEN l.cause = 'queue_latency' THEN 0.10 ELSE 0.03 END * (SELECT sum(window_ns) FROM devices) AS worth
FROM ledger AS l
GROUP BY l.cause
ORDER BY lost_ns DESC, l.cause;

COMMENT ON TABLE loss_totals IS 'slices added up by what the ledger and the evidence ask';
COMMENT ON COLUMN loss_totals.gpu IS 'physical GPU';
COMMENT ON COLUMN loss_totals.pid IS 'as in slices';
COMMENT ON COLUMN loss_totals.cause IS 'as in settled';
COMMENT ON COLUMN loss_totals.basis IS 'as in settled';
COMMENT ON COLUMN loss_totals.range_id IS 'innermost NVTX range, in nvtx_events';
COMMENT ON COLUMN loss_totals.step IS 'the step in which they begin, in window_steps';
COMMENT ON COLUMN loss_totals.slices IS 'how many';
COMMENT ON COLUMN loss_totals.lost_ns IS 'their time, ns';
COMMENT ON COLUMN loss_totals.longest_ns IS 'the longest of them, ns';
COMMENT ON TABLE ledger IS 'lost time by GPU and cause';
COMMENT ON COLUMN ledger.gpu IS 'physical GPU';
COMMENT ON COLUMN ledger.cause IS 'id of the cause';
COMMENT ON COLUMN ledger.lost_ns IS 'time of the window in which the GPU did not compute because of it, ns';
COMMENT ON COLUMN ledger.slices IS 'number of slices';
COMMENT ON COLUMN ledger.named_ns IS 'the part that was told from the names of NVTX ranges, ns';
COMMENT ON COLUMN ledger.inferred_ns IS 'the part that was inferred, ns';
COMMENT ON TABLE devices IS 'the GPUs that work in the window; compute_ns and the ledger''s lost_ns add up to window_ns';
COMMENT ON COLUMN devices.gpu IS 'physical GPU';
COMMENT ON COLUMN devices.name IS 'name of the product';
COMMENT ON COLUMN devices.window_ns IS 'length of the window, ns';
COMMENT ON COLUMN devices.compute_ns IS 'time in which it computed, ns';
COMMENT ON TABLE findings IS 'lost time by cause over all GPUs, most first';
COMMENT ON COLUMN findings.cause IS 'id of the cause';
COMMENT ON COLUMN findings.lost_ns IS 'time lost because of it, summed over GPUs, ns';
COMMENT ON COLUMN findings.slices IS 'number of slices';
COMMENT ON COLUMN findings.named_share IS 'of lost_ns: told from the names of NVTX ranges, 0 to 1';
COMMENT ON COLUMN findings.inferred_share IS 'of lost_ns: inferred, 0 to 1';
COMMENT ON COLUMN findings.share IS 'of the window, 0 to 1';
COMMENT ON COLUMN findings.worth IS 'true where it is large enough for a verdict';
