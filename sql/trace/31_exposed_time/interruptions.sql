-- One row for each time in which other programs had a GPU, by recorded context switches: from the end of a turn of this trace to
-- the start of its next, if another program had a turn in between. So the changes of context count, too (0.2 ms of each 2.4 ms
-- on an H100).
-- reads: turn_pauses
CREATE TABLE interruptions AS
SELECT CAST(row_number() OVER () AS INTEGER) AS id, gpu AS track, start_ns, end_ns
FROM turn_pauses
WHERE of_others;


COMMENT ON TABLE interruptions IS 'when other programs had a GPU, with the changes of context before and after; empty where GPU context switches were not traced';
COMMENT ON COLUMN interruptions.track IS 'physical GPU';
COMMENT ON COLUMN interruptions.start_ns IS 'end of the turn of this trace before it, ns since the session began';
COMMENT ON COLUMN interruptions.end_ns IS 'start of the next turn of this trace, ns';
