-- Nsight Systems packs hardware, VM, process and thread ids into one number, 8, 8, 24 and 24 bits of it.
CREATE MACRO pid_of(global_id) AS CAST((global_id >> 24) & 16777215 AS INTEGER);
