-- One row: the time of the window over all GPUs, without what is lost by design, as while nobody asks a server for anything. A
-- cause is a finding by its share of that.
-- reads: causes, devices, ledger
CREATE TABLE worked_time AS
SELECT CAST((SELECT sum(window_ns) FROM devices) - coalesce(sum(l.lost_ns), 0) AS BIGINT) AS worked_ns
FROM ledger AS l
INNER JOIN causes AS c ON c.cause = l.cause AND c.by_design;

COMMENT ON TABLE worked_time IS 'time of the window over all GPUs, without what is lost by design: one row';
COMMENT ON COLUMN worked_time.worked_ns IS 'that time, ns';
