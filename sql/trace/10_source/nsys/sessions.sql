-- When the capture began, by the clock of its machine. With it the reports of several ranks are put on one timeline. A time
-- outside of the years 2000 to 2099 is none.
-- reads: first_start_ns, last_start_ns, export.TARGET_INFO_SESSION_START_TIME
CREATE TABLE sessions AS
SELECT utcEpochNs AS started_ns
FROM export.TARGET_INFO_SESSION_START_TIME
WHERE utcEpochNs BETWEEN first_start_ns() AND last_start_ns();

COMMENT ON TABLE sessions IS 'when the capture began: one row, or none where the trace does not say';
COMMENT ON COLUMN sessions.started_ns IS 'time 0 of the trace, ns since 1970 by the clock of its machine';
