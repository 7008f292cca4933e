-- When the recording ends, by its events: one row. The last few may be damaged themselves, so that the fourth-last is taken.
-- reads: recorded_events
CREATE TABLE last_events AS
SELECT
    list_min(max(end_ns, 4)) AS last_ns,
    list_min(max(end_ns, 4) FILTER (kind <> 'range')) AS last_call_ns,
    list_min(max(end_ns, 4)) - min(start_ns) AS length_ns
FROM recorded_events;

COMMENT ON TABLE last_events IS 'when the recording ends, by the events on threads of the program; one row';
COMMENT ON COLUMN last_events.last_ns IS 'when the last events end, ns since the session began; NULL if there is none';
COMMENT ON COLUMN last_events.last_call_ns IS 'the same without NVTX ranges: CUDA calls, OS calls and Python samples';
COMMENT ON COLUMN last_events.length_ns IS 'from the first event to the last, ns';
