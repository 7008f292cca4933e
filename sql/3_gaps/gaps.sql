-- Gaps: the maximal intervals in which a device runs no op, each with the op that ends it and the call that
-- submitted that op. The gap at the end of the window is ended by no op; its submitter is the main thread
-- of the last op's process.
CREATE TABLE gaps AS
WITH submitted AS (
    SELECT
        op_id AS gap_id, gpu, from_ns AS start_ns, to_ns AS end_ns,
        pid, global_tid, launch_start_ns, launch_end_ns, launched_until_ns
    FROM uncovered
    UNION ALL
    SELECT
        -1 - o.gpu, o.gpu, o.busy_until_ns, w.end_ns,
        o.last_pid, s.global_tid, w.end_ns, w.end_ns, o.launched_until_ns
    FROM occupancy AS o
    CROSS JOIN "window" AS w
    LEFT JOIN submitters AS s ON s.pid = o.last_pid AND s.main
    WHERE w.end_ns > o.busy_until_ns
),

-- From launch to start on an idle device: measured where the CPU was late, since nothing else delays the op there. The median of
-- a million integers takes half the time of one of bigints.
latency AS (
    SELECT coalesce(median(TRY_CAST(to_ns - launch_start_ns AS INTEGER)), 10000) AS usual_ns
    FROM uncovered
    WHERE launch_start_ns >= from_ns AND to_ns - launch_start_ns < 1000000
),

-- How much of the gap the CPU made: none where the op was launched well before it began; all of it where the op started
-- as soon as it was launched, within four times the usual latency; else up to the launch.
late AS (
    SELECT
        s.*,
        CASE
            WHEN s.launch_start_ns IS NULL THEN s.end_ns
            WHEN s.launch_start_ns < s.start_ns - l.usual_ns THEN s.start_ns
            WHEN s.end_ns - s.launch_start_ns <= 4 * l.usual_ns OR s.end_ns - s.launch_end_ns <= 4 * l.usual_ns THEN s.end_ns
            ELSE least(s.end_ns, greatest(s.start_ns, CAST(s.launch_end_ns + l.usual_ns AS BIGINT)))
        END AS late_until_ns
    FROM submitted AS s, latency AS l
)

SELECT
    l.gap_id, l.gpu, l.start_ns, l.end_ns, l.pid, l.global_tid, l.launch_start_ns, l.launched_until_ns, l.late_until_ns,
    q.moment_id, CASE WHEN q.moment_id IS NOT NULL THEN coalesce(q.next_cut_ns < l.late_until_ns, false) END AS changes
FROM late AS l
CROSS JOIN window_cells AS c
LEFT JOIN quiet_cells AS q
    ON q.global_tid = moments_of(l.global_tid, l.pid) AND q.cell = (l.start_ns - c.from_ns) // c.length_ns;

-- gaps hold what is needed of it, and a million rows take 60 MB
DROP TABLE uncovered;

-- Where no cell tells what holds when a gap begins, the order does. Narrow on purpose: an ASOF join sorts its left side with all it
-- carries, three times slower with the rest of a gap.
UPDATE gaps
SET moment_id = m.moment_id, changes = m.changes
FROM (
    SELECT g.place, CAST(m.rowid AS INTEGER) AS moment_id, coalesce(m.next_cut_ns < g.late_until_ns, false) AS changes
    FROM (
        SELECT rowid AS place, moments_of(global_tid, pid) AS global_tid, start_ns, late_until_ns FROM gaps WHERE moment_id IS NULL
    ) AS g
    ASOF LEFT JOIN moments AS m ON m.global_tid = g.global_tid AND g.start_ns >= m.at_ns
) AS m
WHERE m.place = gaps.rowid;

COMMENT ON TABLE gaps IS 'maximal intervals of the window in which a GPU runs no op, on any stream of any process';
COMMENT ON COLUMN gaps.gap_id IS 'op_id of the op that ends it; negative for the gap at the end of the window, which no op ends';
COMMENT ON COLUMN gaps.gpu IS 'physical GPU';
COMMENT ON COLUMN gaps.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN gaps.end_ns IS 'end, ns';
COMMENT ON COLUMN gaps.pid IS 'process of the submitter';
COMMENT ON COLUMN gaps.global_tid IS 'the submitter: the thread that launched the op that ends it';
COMMENT ON COLUMN gaps.launch_start_ns IS 'CPU start of that launch, ns; NULL where the trace has no call for the op';
COMMENT ON COLUMN gaps.launched_until_ns IS 'CPU end of the latest launch among the ops before it, ns';
COMMENT ON COLUMN gaps.late_until_ns IS 'until when the CPU is the reason, ns; the gap''s start where the op was launched in time';
COMMENT ON COLUMN gaps.moment_id IS 'the last of moments before its start: its row there; NULL where none is';
COMMENT ON COLUMN gaps.changes IS 'true where the next cut comes while the CPU is the reason';
