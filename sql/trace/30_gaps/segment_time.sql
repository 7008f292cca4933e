-- Segments of all GPUs on one track, to cut them at the regimes: none where there is but one regime to speak of.
-- reads: regimes, segments
CREATE VIEW segment_time AS
SELECT segment_id AS id, 0 AS track, start_ns, end_ns
FROM segments
WHERE (SELECT count(DISTINCT kind) FROM regimes WHERE kind NOT IN ('start-up', 'end')) > 1;

COMMENT ON VIEW segment_time IS 'segments of all GPUs on one track, where there are several kinds of regimes';
COMMENT ON COLUMN segment_time.id IS 'segment_id of segments';
COMMENT ON COLUMN segment_time.track IS '0';
COMMENT ON COLUMN segment_time.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN segment_time.end_ns IS 'end, ns';
