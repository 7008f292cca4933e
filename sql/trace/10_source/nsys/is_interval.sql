-- Which pairs of times can be an interval: both are there, in order, and each below 2^53 ns (104 days), up to which doubles,
-- and so JSON and what reads it, are exact. Times before the session began are negative, and rightly so. Rows whose times
-- cannot be are left out of every view of this layer, and counted in damaged_rows.
CREATE MACRO is_interval(start_ns, end_ns) AS
    start_ns <= end_ns AND start_ns > -9007199254740992 AND end_ns < 9007199254740992;
