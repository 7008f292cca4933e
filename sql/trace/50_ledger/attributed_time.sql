-- Segments of all GPUs on one track, to cut them at the regimes; none where all of the analysed time is one.
-- reads: regimes, segments
CREATE VIEW attributed_time AS
SELECT segment_id AS id, 0 AS track, start_ns, end_ns
FROM segments
WHERE (SELECT count(*) FROM regimes) > 1;

COMMENT ON VIEW attributed_time IS 'segments of all GPUs on one track, where there are several regimes';
COMMENT ON COLUMN attributed_time.id IS 'segment_id of segments';
COMMENT ON COLUMN attributed_time.track IS '0';
COMMENT ON COLUMN attributed_time.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN attributed_time.end_ns IS 'end, ns';
