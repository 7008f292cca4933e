-- Macro `pid_of_steps`: the process id that stands for the steps. Process ids have 24 bits, so no process of the trace has this
-- one.
CREATE MACRO pid_of_steps() AS 16777216;
