-- When the capture began, by the clock of its machine. With it the reports of several ranks are put on one timeline. A time
-- outside of the years 2000 to 2099 is none.
-- reads: export.TARGET_INFO_SESSION_START_TIME
CREATE VIEW sessions AS
SELECT utcEpochNs AS started_ns
FROM export.TARGET_INFO_SESSION_START_TIME
WHERE utcEpochNs >= epoch_ns(TIMESTAMP '2000-01-01') AND utcEpochNs < epoch_ns(TIMESTAMP '2100-01-01');

COMMENT ON VIEW sessions IS 'when the capture began: one row, or none where the trace does not say';
COMMENT ON COLUMN sessions.started_ns IS 'time 0 of the trace, ns since 1970 by the clock of its machine';
