-- One row for each part of the launch sequence that may be judged. First comes its last quarter, because compilation and
-- autotuning launch regular sequences too: that of its activities. Where graphs are launched, a whole step may be one, so that
-- few launches follow thousands of autotuning: there the last quarter of the time comes next, if it is shorter. Of few iterations
-- less than three are in a quarter, so that three quarters come last. Fewer than 8 activities are no loop.
-- reads: launch_sequence
CREATE TABLE judged_parts AS
WITH sequence AS (
    SELECT count(*) AS activities, max(start_ns) - (max(start_ns) - min(start_ns)) // 4 AS from_ns FROM launch_sequence
)

SELECT 1 AS part, 3 * activities // 4 AS place, activities // 4 AS activities, activities + 1 AS end_place
FROM sequence
UNION ALL
SELECT 2, min(l.place), count(*), s.activities + 1
FROM launch_sequence AS l
INNER JOIN sequence AS s ON l.start_ns >= s.from_ns
GROUP BY s.activities
HAVING count(*) >= 8 AND count(l.graph_id) > 0 AND min(l.place) > 3 * s.activities // 4
UNION ALL
SELECT 3, activities // 4, 3 * activities // 4, activities + 1
FROM sequence
WHERE activities >= 8;

COMMENT ON TABLE judged_parts IS 'the parts of the launch sequence that may be judged: its last quarter, by activities and by time, and three quarters';
COMMENT ON COLUMN judged_parts.part IS '1 for the last quarter of its activities; 2 for that of its time, where it is shorter and has graphs; 3 for the last three quarters';
COMMENT ON COLUMN judged_parts.place IS 'where it begins, as place in launch_sequence';
COMMENT ON COLUMN judged_parts.activities IS 'number of its activities';
COMMENT ON COLUMN judged_parts.end_place IS 'where it ends: one more than the last place';
