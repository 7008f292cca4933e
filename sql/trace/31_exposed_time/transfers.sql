-- Communication and copies in the analysed time, on the track of their GPU.
-- reads: analysed_activities
CREATE VIEW transfers AS
SELECT activity_id AS id, gpu AS track, start_ns, end_ns, CASE kind WHEN 'communication' THEN 1 ELSE 0 END AS precedence
FROM analysed_activities
WHERE kind <> 'compute';

COMMENT ON VIEW transfers IS 'communication and copies in the analysed time';
COMMENT ON COLUMN transfers.id IS 'activity_id of activities';
COMMENT ON COLUMN transfers.track IS 'physical GPU';
COMMENT ON COLUMN transfers.precedence IS '1 for communication, which counts where both run, since other ranks wait for it; 0 for a copy';
