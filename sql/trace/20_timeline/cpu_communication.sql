-- One row for each collective or transfer that a process has on its way on the CPU.
-- reads: cpu_collectives, cpu_transfers
CREATE VIEW cpu_communication AS
SELECT id, track, start_ns, end_ns FROM cpu_collectives
UNION ALL
SELECT -id, track, start_ns, end_ns FROM cpu_transfers;

COMMENT ON VIEW cpu_communication IS 'collectives and transfers on the CPU';
COMMENT ON COLUMN cpu_communication.id IS 'unique number, negative for transfers';
COMMENT ON COLUMN cpu_communication.track IS 'process id';
COMMENT ON COLUMN cpu_communication.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN cpu_communication.end_ns IS 'end, ns';
