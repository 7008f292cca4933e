-- Macro `flow`: one end of the arrow from a launch to its activity. Correlation ids have 32 bits and are unique within a
-- process, so the process id times 2^32 makes them unique in the trace.
CREATE MACRO flow(direction, pid, correlation_id) AS
format(',"bind_id":{:d},"flow_{}":true', CAST(pid AS BIGINT) * 4294967296 + correlation_id, direction);
