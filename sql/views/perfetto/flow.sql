-- 2^32: correlation ids have 32 bits, and are unique within a process
CREATE MACRO flow(direction, pid, correlation_id) AS
    format(',"bind_id":{:d},"flow_{}":true', CAST(pid AS BIGINT) * 4294967296 + correlation_id, direction);
