-- Says how much of each interval others cover.
--
-- Input: the names of two relations (id, track, start_ns, end_ns). Intervals of both may overlap. Output: for each piece its id,
-- length_ns, and covered_ns, for which at least one of the intervals of its track is open. Pieces of no length are left out.
CREATE MACRO covered(pieces, intervals) AS TABLE
    FROM query_table('covered(' || pieces || ', ' || intervals || ')');
