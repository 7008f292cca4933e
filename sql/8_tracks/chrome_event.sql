-- An event of a track as the Chrome trace format writes it, less its track and its braces. Times are numbers of microseconds
-- with three decimals, so that no nanosecond is lost.
CREATE MACRO microseconds(ns) AS format('{:d}.{:03d}', ns // 1000, ns % 1000);

CREATE MACRO chrome_event(name, category, start_ns, end_ns, zero_ns, more) AS
    '"ph":"X","cat":"' || category
    || '","ts":' || layers.microseconds(start_ns - zero_ns)
    || ',"dur":' || layers.microseconds(end_ns - start_ns)
    || ',"name":' || CAST(to_json(name) AS VARCHAR)
    || more;

-- 2^32: correlation ids have 32 bits, and are unique within a process
CREATE MACRO flow(direction, pid, correlation_id) AS
    format(',"bind_id":{:d},"flow_{}":true', CAST(pid AS BIGINT) * 4294967296 + correlation_id, direction);
