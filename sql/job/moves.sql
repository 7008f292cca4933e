-- One row for each communication activity in the window of the job: how long it moves data, and how much of that is exposed.
-- reads: job_steps, matches, ranks.members, waits
CREATE VIEW moves AS
SELECT
    m.rank,
    m.activity_id,
    m.team,
    m.kind,
    m.end_ns,
    t.in_turns,
    greatest(0, m.end_ns - (m.start_ns + t.all_arrived_ns - m.ref_start_ns)) AS moving_ns,
    coalesce(w.exposed_ns - w.waiting_ns, 0) AS exposed_ns
FROM ranks.members AS m
INNER JOIN matches AS t ON t.match_id = m.match_id
ASOF INNER JOIN job_steps AS s ON s.rank = m.rank AND m.end_ns <= s.end_ns
LEFT JOIN waits AS w ON w.rank = m.rank AND w.activity_id = m.activity_id
WHERE m.end_ns > s.start_ns;

COMMENT ON VIEW moves IS 'communication activities in the window of the job, and how long they move data';
COMMENT ON COLUMN moves.activity_id IS 'the activity, in the trace of the rank';
COMMENT ON COLUMN moves.kind IS 'as in members';
COMMENT ON COLUMN moves.end_ns IS 'end, ns on the rank''s own clock';
COMMENT ON COLUMN moves.in_turns IS 'as in matches';
COMMENT ON COLUMN moves.moving_ns IS 'time from when all ranks had come, ns';
COMMENT ON COLUMN moves.exposed_ns IS 'of it, time in which nothing computes, ns';
