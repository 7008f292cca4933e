-- Whose moments hold for a gap: its submitter's; where no call in the trace ends it, its process's, of which only the range and
-- the step are known.
CREATE MACRO moments_of(tid, pid) AS coalesce(tid, -1 - pid);

-- From when on each submitter is in which state, its process's main thread in which NVTX range, and which step it is: one row
-- for every time at which one of them changes, so that one lookup tells them all.
CREATE TABLE moments AS
WITH fed AS (
    SELECT pid, global_tid FROM submitters
    UNION ALL
    SELECT DISTINCT pid, moments_of(global_tid, pid) FROM ops WHERE global_tid IS NULL
),

marks AS (
    -- ends, too: nothing begins after the last
    SELECT t.pid, t.global_tid, unnest([f.start_ns, f.end_ns]) AS at_ns, true AS cuts
    FROM followed_states AS f
    INNER JOIN fed AS t ON t.global_tid = f.global_tid
    UNION ALL
    SELECT t.pid, t.global_tid, unnest([n.start_ns, n.end_ns]), t.global_tid >= 0
    FROM nvtx_states AS n
    INNER JOIN fed AS t ON t.pid = n.pid
    UNION ALL
    SELECT t.pid, t.global_tid, w.start_ns, false FROM fed AS t CROSS JOIN "window" AS w
    UNION ALL
    SELECT t.pid, t.global_tid, unnest([s.start_ns, s.end_ns]), false FROM fed AS t CROSS JOIN window_steps AS s
),

times AS (
    SELECT global_tid, at_ns, any_value(pid) AS pid, bool_or(cuts) AS cuts FROM marks GROUP BY global_tid, at_ns
)

SELECT
    t.global_tid,
    t.at_ns,
    t.cuts,
    c.at_ns AS next_cut_ns,
    CASE WHEN f.end_ns > t.at_ns THEN f.state_id END AS state_id,
    CASE WHEN n.end_ns > t.at_ns THEN n.range_id END AS range_id,
    CASE WHEN s.end_ns > t.at_ns THEN s.step END AS step
FROM times AS t
ASOF LEFT JOIN (SELECT state_id, global_tid, start_ns, end_ns FROM followed_states) AS f
    ON f.global_tid = t.global_tid AND t.at_ns >= f.start_ns
ASOF LEFT JOIN nvtx_states AS n ON n.pid = t.pid AND t.at_ns >= n.start_ns
ASOF LEFT JOIN window_steps AS s ON t.at_ns >= s.start_ns
-- a window that looks for the least of those that follow takes six times as long
ASOF LEFT JOIN (SELECT global_tid, at_ns FROM times WHERE cuts) AS c ON c.global_tid = t.global_tid AND t.at_ns < c.at_ns;

COMMENT ON TABLE moments IS 'the times at which what a submitter does, the NVTX range of its process or the step changes';
COMMENT ON COLUMN moments.global_tid IS 'the submitter; -1 - pid for ops of a process that no call in the trace launched';
COMMENT ON COLUMN moments.at_ns IS 'time, ns since the session began';
COMMENT ON COLUMN moments.cuts IS 'true where a gap is cut: a state or a range begins or ends';
COMMENT ON COLUMN moments.next_cut_ns IS 'the next of these times, ns; NULL where none follows';
COMMENT ON COLUMN moments.state_id IS 'the state from then on, in followed_states; NULL where it is not known';
COMMENT ON COLUMN moments.range_id IS 'innermost NVTX range of the process''s main thread from then on, in nvtx_events; NULL outside of all';
COMMENT ON COLUMN moments.step IS 'the step from then on, in window_steps; NULL outside of all';
