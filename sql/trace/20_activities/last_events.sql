-- Until when activities and steps may go on: one row. That is 1 s, or a tenth of the recording, after the last event on a thread
-- of the program. The last few events may be damaged themselves, so that the fourth-last is taken. NVTX ranges do not bear out
-- steps, which are ranges, too. Of a part of a trace nobody knows what the last event is.
-- reads: partly_read, recorded_events
CREATE TABLE last_events AS
WITH recorded AS (
    SELECT
        min(start_ns) AS first_ns,
        list_min(max(end_ns, 4)) AS last_ns,
        list_min(max(end_ns, 4) FILTER (kind <> 'range')) AS last_call_ns
    FROM recorded_events
    WHERE NOT EXISTS (FROM partly_read)
)

SELECT
    last_ns + greatest(1000000000, (last_ns - first_ns) // 10) AS activities_until_ns,
    last_call_ns + greatest(1000000000, (last_ns - first_ns) // 10) AS steps_until_ns
FROM recorded;

COMMENT ON TABLE last_events IS 'until when activities and steps may go on, by the last events on threads of the program; one row';
COMMENT ON COLUMN last_events.activities_until_ns IS 'until when an activity may go on, ns since the session began; NULL where nobody knows';
COMMENT ON COLUMN last_events.steps_until_ns IS 'until when a step may go on, by CUDA calls, OS calls and Python samples, ns; NULL where nobody knows';
