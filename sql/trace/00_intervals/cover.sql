-- Merges intervals that overlap or touch: the time that any of them covers.
--
-- Input: the name of a relation (id, track, start_ns, end_ns). Output: disjoint intervals (id, track, start_ns, end_ns); id is a
-- number that is unique.
CREATE MACRO cover(intervals) AS TABLE
    FROM query_table('cover(' || intervals || ')');
