-- When the session began, by the clock of the machine: what every other time counts from.
CREATE VIEW "session" AS
SELECT min(utcEpochNs) AS started_utc_ns
FROM export.TARGET_INFO_SESSION_START_TIME;

COMMENT ON VIEW "session" IS 'when the session began: one row';
COMMENT ON COLUMN "session".started_utc_ns IS 'start by the clock of the machine, ns since 1970 in UTC; NULL where the trace does not say';
