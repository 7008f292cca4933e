-- One row for each part of the launch sequence that may be judged: its last quarter, because compilation and autotuning launch
-- regular sequences too. That of its activities comes first. Where graphs are launched, a whole step may be one, so that few
-- launches follow thousands of autotuning: there the last quarter of the time comes next, if it is shorter. Fewer than 8
-- activities are no loop.
-- reads: launch_sequence
CREATE TABLE last_quarter AS
WITH sequence AS (
    SELECT count(*) AS activities, max(start_ns) - (max(start_ns) - min(start_ns)) // 4 AS from_ns FROM launch_sequence
)

SELECT 1 AS quarter, 3 * activities // 4 AS place, activities // 4 AS activities, activities + 1 AS end_place
FROM sequence
UNION ALL
SELECT 2, min(l.place), count(*), s.activities + 1
FROM launch_sequence AS l
INNER JOIN sequence AS s ON l.start_ns >= s.from_ns
GROUP BY s.activities
HAVING count(*) >= 8 AND count(l.graph_id) > 0 AND min(l.place) > 3 * s.activities // 4;

COMMENT ON TABLE last_quarter IS 'the last quarter of the launch sequence, of its activities and of its time';
COMMENT ON COLUMN last_quarter.quarter IS '1 for that of its activities; 2 for that of its time, where it is shorter and has graphs';
COMMENT ON COLUMN last_quarter.place IS 'where it begins, as place in launch_sequence';
COMMENT ON COLUMN last_quarter.activities IS 'number of its activities';
COMMENT ON COLUMN last_quarter.end_place IS 'where it ends: one more than the last place';
