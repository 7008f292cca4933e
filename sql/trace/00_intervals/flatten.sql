-- Flattens intervals that nest, as calls on a thread do, to the innermost one at each instant: the open one that began last.
--
-- Input: the name of a relation (id, track, start_ns, end_ns), which may also have a column `precedence`: then the open one that
-- began last counts among those of the highest precedence. Output: intervals (track, start_ns, end_ns, id) that tile each track
-- from its first start to its last end; id is NULL where nothing is open. Of intervals that begin at once the shortest is the
-- innermost, and of equal ones the one with the highest id.
CREATE MACRO flatten(events) AS TABLE
    FROM query_table('flatten(' || events || ')');
