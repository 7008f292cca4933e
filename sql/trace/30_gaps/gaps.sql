-- Gaps: the maximal intervals of the analysed time in which a GPU runs no activity, each with the activity that ends it and the
-- call that launched that activity. No call launches a migration: there, the next launch of the process is taken. The last gap
-- ends with the analysed time, and the next activity after it says why. Where there is none, the launching thread is the main
-- thread of the last activity's process.
-- reads: analysed_time, gpu_busy, idle_intervals, launch_latency, launching_threads, migration_launches, next_activities
-- reads: soon_latencies
CREATE TABLE gaps AS
WITH ended AS (
    SELECT
        i.activity_id AS gap_id, i.gpu, i.idle_since_ns AS start_ns, i.idle_until_ns AS end_ns, i.idle_until_ns AS next_ns, i.pid,
        coalesce(i.global_tid, m.global_tid) AS global_tid, coalesce(i.launch_start_ns, m.launch_start_ns) AS launch_start_ns,
        coalesce(i.launch_end_ns, m.launch_end_ns) AS launch_end_ns, i.launched_until_ns
    FROM idle_intervals AS i
    LEFT JOIN migration_launches AS m ON m.activity_id = i.activity_id
    UNION ALL
    SELECT
        coalesce(n.activity_id, -1 - b.gpu), b.gpu, b.busy_until_ns, w.end_ns, coalesce(n.start_ns, w.end_ns),
        coalesce(n.pid, b.last_pid), coalesce(n.global_tid, t.global_tid), coalesce(n.launch_start_ns, w.end_ns),
        coalesce(n.launch_end_ns, w.end_ns), b.launched_until_ns
    FROM gpu_busy AS b
    CROSS JOIN analysed_time AS w
    LEFT JOIN next_activities AS n ON n.gpu = b.gpu
    LEFT JOIN launching_threads AS t ON t.pid = coalesce(n.pid, b.last_pid) AND t.main
    WHERE w.end_ns > b.busy_until_ns
),

-- what starts within so many times the usual latency started as soon as it was launched
usual AS (
    SELECT usual_ns, soon_latencies() * usual_ns AS soon_ns FROM launch_latency
)

SELECT
    e.gap_id,
    e.gpu,
    e.start_ns,
    e.end_ns,
    e.pid,
    e.global_tid,
    e.launch_start_ns,
    e.launched_until_ns,
    -- The CPU is the reason for no part of the gap if it launched well before it, unless the call was held up and the activity
    -- waited for its end; for all of it if the activity started as soon as it was launched; else for the part until
    -- the activity would have started after its launch.
    CASE
        WHEN e.launch_start_ns IS NULL THEN e.end_ns
        WHEN
            e.launch_start_ns < e.start_ns - u.usual_ns
            AND (e.launch_end_ns <= e.start_ns + u.soon_ns OR e.next_ns < e.launch_end_ns - u.soon_ns) THEN e.start_ns
        WHEN e.next_ns - e.launch_start_ns <= u.soon_ns OR e.next_ns - e.launch_end_ns <= u.soon_ns THEN e.end_ns
        ELSE least(e.end_ns, greatest(e.start_ns, CAST(e.launch_end_ns + u.usual_ns AS BIGINT)))
    END AS late_until_ns
FROM ended AS e, usual AS u;

COMMENT ON TABLE gaps IS 'maximal intervals of the analysed time in which a GPU runs no activity, on any stream of any process';
COMMENT ON COLUMN gaps.gap_id IS 'activity_id of the activity that ends it, perhaps after the analysed time; negative where there is none';
COMMENT ON COLUMN gaps.pid IS 'process of the launching thread';
COMMENT ON COLUMN gaps.global_tid IS 'launching thread: the one whose call launched the activity that ends it; where none ends it, the main thread of the last process at work';
COMMENT ON COLUMN gaps.launch_start_ns IS 'CPU start of that launch, ns; NULL where the trace has no call for the activity; the end of the analysed time where none ends the gap';
COMMENT ON COLUMN gaps.launched_until_ns IS 'CPU end of the latest launch among the activities before it, ns';
COMMENT ON COLUMN gaps.late_until_ns IS 'until when the CPU is the reason, ns; the gap''s start where the activity was launched in time';
