-- The time in which a process has a collective on its way that a thread of it carries out on the CPU.
-- reads: cover, cpu_collectives
CREATE TABLE collective_tiles AS
FROM cover('cpu_collectives');

COMMENT ON TABLE collective_tiles IS 'when collectives on the CPU are on their way, merged by process';
