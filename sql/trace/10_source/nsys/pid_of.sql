-- Macro `pid_of`: the process id in a globalTid or globalPid. Nsight Systems packs hardware, VM, process and thread ids into
-- one number, with 8, 8, 24 and 24 bits.
CREATE MACRO pid_of(global_id) AS CAST((global_id >> 24) & 16777215 AS INTEGER);
