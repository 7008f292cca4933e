-- Threads by name. PyTorch names its own: pt_data_worker, pt_data_pin, pt_autograd_0.
CREATE TABLE threads AS
SELECT
    globalTid AS global_tid,
    pid_of(globalTid) AS pid,
    tid_of(globalTid) AS tid,
    any_value(text) AS name
FROM export.ThreadNames
LEFT JOIN strings ON string_id = nameId
GROUP BY globalTid;

CREATE VIEW loader_threads AS
SELECT pid, global_tid, name
FROM threads
WHERE regexp_matches(name, '^pt_data_|dataloader', 'i');

CREATE VIEW processes AS
SELECT pid, any_value(name) AS name
FROM export.PROCESSES
GROUP BY pid;

COMMENT ON TABLE threads IS 'threads of the captured processes';
COMMENT ON COLUMN threads.global_tid IS 'hardware, VM, process and thread id in one number: the key of a thread everywhere';
COMMENT ON COLUMN threads.pid IS 'process id';
COMMENT ON COLUMN threads.tid IS 'thread id';
COMMENT ON COLUMN threads.name IS 'name that the program gave the thread, else that of the process';
COMMENT ON VIEW loader_threads IS 'threads that PyTorch''s DataLoader named as its own';
COMMENT ON COLUMN loader_threads.pid IS 'process id';
COMMENT ON COLUMN loader_threads.global_tid IS 'thread, in threads';
COMMENT ON COLUMN loader_threads.name IS 'pt_data_pin, pt_data_worker, …';
COMMENT ON VIEW processes IS 'captured processes, forked DataLoader workers among them';
COMMENT ON COLUMN processes.pid IS 'process id';
COMMENT ON COLUMN processes.name IS 'executable or title';
