-- From how long on code between two launches is the program's own work, in ns.
--
-- 1 ms: between two launches, eager and compiled PyTorch spend 5 to 50 us, and up to 0.8 ms where an optimizer or a step begins
-- (adamw_broken, compile_full); a program's own work takes longer.
CREATE MACRO own_work_ns() AS 1000000;
