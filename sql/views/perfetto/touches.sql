-- What of the trace is drawn as tracks, and the moment that is zero there: all of it, or what touches the window that was
-- asked for. Perfetto and its kin keep times as floating point numbers of microseconds, so those have to stay small.
CREATE MACRO touches(start_ns, end_ns, from_ns, to_ns) AS start_ns < to_ns AND (end_ns > from_ns OR start_ns >= from_ns);
