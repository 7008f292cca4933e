-- Macro `flow`: one end of the arrow from a launch to its activity. Correlation ids have 32 bits and are unique within a
-- process, so the process id before them makes them unique in the trace: as a text, since a number of JSON has 53 bits.
CREATE MACRO flow(direction, pid, correlation_id) AS
format(',"bind_id":"0x{:x}","flow_{}":true', CAST(pid AS BIGINT) * 4294967296 + correlation_id, direction);
