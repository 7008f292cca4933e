-- Macro `is_interval`: whether two times can be an interval. Both are there and in order, and both are below 2^53 ns (104
-- days), up to which numbers in JSON are exact. Times before the session began are negative, and are allowed. Rows with
-- impossible times are left out of this layer and counted in damaged_rows.
-- reads: time_bound
CREATE MACRO is_interval(start_ns, end_ns) AS
start_ns <= end_ns AND start_ns > -time_bound() AND end_ns < time_bound();
