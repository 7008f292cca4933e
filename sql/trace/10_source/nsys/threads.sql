-- One row for each thread. PyTorch names its own threads: pt_data_worker, pt_data_pin, pt_autograd_0.
-- reads: pid_of, strings, tid_of, export.ThreadNames
CREATE TABLE threads AS
SELECT
    globalTid AS global_tid,
    pid_of(globalTid) AS pid,
    tid_of(globalTid) AS tid,
    min(text) AS name
FROM export.ThreadNames
LEFT JOIN strings ON string_id = nameId
GROUP BY globalTid;

COMMENT ON TABLE threads IS 'threads of the captured processes';
COMMENT ON COLUMN threads.global_tid IS 'hardware, VM, process and thread id in one number: the key of a thread everywhere';
COMMENT ON COLUMN threads.tid IS 'thread id';
COMMENT ON COLUMN threads.name IS 'name that the program gave the thread, else that of the process';
