-- One row for each kind of event whose times contradict other events.
-- reads: early_returns, instant_events, misordered_activities, strayed_events
CREATE TABLE impossible_order AS
SELECT kind, "rows", all_rows
FROM (
    FROM instant_events
    UNION ALL
    FROM misordered_activities
    UNION ALL
    FROM early_returns
    UNION ALL
    FROM strayed_events
)
WHERE "rows" > 0;

COMMENT ON TABLE impossible_order IS 'kinds of events whose times contradict other events; empty for a sound trace';
