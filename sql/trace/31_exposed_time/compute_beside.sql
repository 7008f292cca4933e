-- Computing activities of the analysed time on the GPUs that also transfer, or that other programs had for a time.
-- reads: analysed_activities, interruptions, transfers
CREATE VIEW compute_beside AS
SELECT activity_id AS id, gpu AS track, start_ns, end_ns
FROM analysed_activities
WHERE kind = 'compute' AND (gpu IN (SELECT track FROM transfers) OR gpu IN (SELECT track FROM interruptions));

COMMENT ON VIEW compute_beside IS 'computing activities of the analysed time on GPUs that also communicate, copy or are interrupted';
COMMENT ON COLUMN compute_beside.id IS 'activity_id of activities';
