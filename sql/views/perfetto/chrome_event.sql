-- Macro `chrome_event`: an event as the Chrome trace format writes it, without its track and its braces.
-- reads: trace.microseconds
CREATE MACRO chrome_event(name, category, start_ns, end_ns, zero_ns, more) AS
'"ph":"X","cat":"' || category
|| '","ts":' || trace.microseconds(start_ns - zero_ns)
|| ',"dur":' || trace.microseconds(end_ns - start_ns)
|| ',"name":' || CAST(to_json(name) AS VARCHAR)
|| more;
