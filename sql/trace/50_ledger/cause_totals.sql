-- One row for each cause, over all GPUs. `costs_enough` goes by lost time alone: in Python, where a replay tells what removing a
-- cause would save, that decides, too.
-- reads: causes, devices, ledger, worked_time
CREATE TABLE cause_totals AS
SELECT
    l.cause,
    CAST(sum(l.lost_ns) AS BIGINT) AS lost_ns,
    CAST(sum(l.segments) AS BIGINT) AS segments,
    sum(l.named_ns) / sum(l.lost_ns) AS named_share,
    sum(l.inferred_ns) / sum(l.lost_ns) AS inferred_share,
    sum(l.lost_ns) / any_value(w.window_ns) AS share,
    coalesce(sum(l.lost_ns) / nullif(any_value(t.worked_ns), 0), 1) AS worked_share,
    sum(l.lost_ns) >= any_value(c.finding_share) * any_value(t.worked_ns) AS costs_enough
FROM ledger AS l
INNER JOIN causes AS c ON c.cause = l.cause
CROSS JOIN (SELECT sum(window_ns) AS window_ns FROM devices) AS w
CROSS JOIN worked_time AS t
GROUP BY l.cause
ORDER BY lost_ns DESC, l.cause;

COMMENT ON TABLE cause_totals IS 'lost time by cause over all GPUs, most first';
COMMENT ON COLUMN cause_totals.lost_ns IS 'time lost because of it, summed over GPUs, ns';
COMMENT ON COLUMN cause_totals.named_share IS 'of lost_ns: known by the names of NVTX ranges, 0 to 1';
COMMENT ON COLUMN cause_totals.inferred_share IS 'of lost_ns: inferred, 0 to 1';
COMMENT ON COLUMN cause_totals.share IS 'of the window, 0 to 1';
COMMENT ON COLUMN cause_totals.worked_share IS 'of the window without what is lost by design, 0 to 1; more for a cause by design';
COMMENT ON COLUMN cause_totals.costs_enough IS 'true where worked_share alone makes it a finding; a replay may find others';
