-- Macro `touches`: whether an interval lies at least in part between two times. It may have no length.
CREATE MACRO touches(start_ns, end_ns, from_ns, to_ns) AS start_ns < to_ns AND (end_ns > from_ns OR start_ns >= from_ns);
