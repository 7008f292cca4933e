-- One row for each collective that a thread of PyTorch's carries out on the CPU, with Gloo or MPI: what it does between two waits
-- for work. It may copy tensors from the GPU and back, which makes it a launching thread.
-- reads: os_call_kinds, os_calls, threads, wake_ns
CREATE TABLE cpu_collectives AS
SELECT
    row_number() OVER thread AS id,
    t.pid AS track,
    t.global_tid,
    o.end_ns AS start_ns,
    lead(o.start_ns) OVER thread AS end_ns
FROM threads AS t
INNER JOIN os_calls AS o ON o.global_tid = t.global_tid
WHERE
    regexp_matches(t.name, '^pt_(gloo|mpi)_') AND o.end_ns - o.start_ns > wake_ns()
    AND o.name_id IN (SELECT string_id FROM os_call_kinds WHERE name = 'pthread_cond_wait')
WINDOW thread AS (PARTITION BY t.global_tid ORDER BY o.start_ns)
QUALIFY lead(o.start_ns) OVER thread IS NOT NULL;

COMMENT ON TABLE cpu_collectives IS 'collectives that PyTorch carries out on the CPU';
COMMENT ON COLUMN cpu_collectives.id IS 'number of the collective on its thread';
COMMENT ON COLUMN cpu_collectives.track IS 'process id';
COMMENT ON COLUMN cpu_collectives.global_tid IS 'the thread at work, in threads';
