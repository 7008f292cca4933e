-- The time in which a process has a collective or a transfer on its way on the CPU.
-- reads: cover, cpu_communication
CREATE TABLE cpu_communication_tiles AS
FROM cover('cpu_communication');

COMMENT ON TABLE cpu_communication_tiles IS 'when collectives and transfers on the CPU are on their way, merged by process';
COMMENT ON COLUMN cpu_communication_tiles.id IS 'unique number';
COMMENT ON COLUMN cpu_communication_tiles.track IS 'process id';
COMMENT ON COLUMN cpu_communication_tiles.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN cpu_communication_tiles.end_ns IS 'end, ns';
