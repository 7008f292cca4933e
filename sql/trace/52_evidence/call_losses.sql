-- One row for each GPU, cause, thread and name of a call: the time that was lost in such calls.
-- reads: call_names, window_segments
CREATE TABLE call_losses AS
SELECT
    s.gpu,
    s.cause,
    c.name,
    s.on_global_tid,
    count(DISTINCT coalesce(s.gap_id, s.activity_id)) AS gaps,
    CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
FROM window_segments AS s
INNER JOIN call_names AS c ON c.string_id = s.name_id
GROUP BY ALL;

COMMENT ON TABLE call_losses IS 'the time that each GPU loses in calls of a name on a thread, by cause';
COMMENT ON COLUMN call_losses.name IS 'name of the call, without a version suffix';
COMMENT ON COLUMN call_losses.gaps IS 'number of gaps, and of exposed activities, in which it was lost';
COMMENT ON COLUMN call_losses.lost_ns IS 'time lost in them, ns';
