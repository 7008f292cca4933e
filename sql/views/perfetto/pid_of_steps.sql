-- The tracks, as viewers of the Chrome trace format group them: every GPU is a process of its own whose threads are its streams,
-- and the steps stand above them.
-- pid_of gives 24 bits, so that no process of the trace has these numbers.
CREATE MACRO pid_of_steps() AS 16777216;
