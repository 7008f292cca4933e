-- One row for each gap of which more than a hundredth of the window is unexplained, where fewer than six gaps are. What really
-- happens does so more often, or another row of the trace shows it: in 150 sound traces there is none.
-- reads: window, window_segments
CREATE TABLE lone_gaps AS
SELECT gap_id, CAST(sum(end_ns - start_ns) AS BIGINT) AS unexplained_ns
FROM window_segments
WHERE cause = 'unexplained' AND gap_id IS NOT NULL
GROUP BY gap_id
HAVING unexplained_ns > (SELECT length_ns FROM "window") / 100
QUALIFY count(*) OVER () < 6;

COMMENT ON TABLE lone_gaps IS 'the few long gaps that nothing explains';
COMMENT ON COLUMN lone_gaps.unexplained_ns IS 'how much of it is unexplained, ns';
