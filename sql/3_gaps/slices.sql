-- Slices: lost time, cut wherever the submitter's state or NVTX range changes. The only definition of a slice.
-- When claims are settled the view has the causes too: what its columns mean is told there.
CREATE TYPE slice_state AS ENUM (
    'submit', 'run', 'sync', 'upload', 'memory', 'module', 'io', 'lock', 'wait', 'sleep', 'profiler',
    'queued', 'stalled', 'unknown', 'communication', 'copy'
);

CREATE TABLE gap_cuts AS
WITH changing AS (
    SELECT gap_id, gpu, global_tid, start_ns, late_until_ns FROM gaps WHERE changes
),

changes AS (
    SELECT c.gpu, m.global_tid, m.at_ns, CAST(m.rowid AS INTEGER) AS moment_id
    FROM moments AS m
    INNER JOIN (SELECT DISTINCT gpu, global_tid FROM changing) AS c ON c.global_tid = m.global_tid
    WHERE m.cuts
),

-- until when the CPU would have been ahead, and until when it is late
turns AS (
    SELECT g.gap_id, moments_of(g.global_tid, g.pid) AS global_tid, s.ahead_until_ns AS at_ns
    FROM shadows AS s
    INNER JOIN gaps AS g ON g.gap_id = s.gap_id
    WHERE s.ahead_until_ns > g.start_ns AND s.ahead_until_ns < g.late_until_ns
    UNION ALL
    SELECT gap_id, moments_of(global_tid, pid), late_until_ns
    FROM gaps
    WHERE late_until_ns < end_ns AND late_until_ns > start_ns
)

SELECT g.gap_id, c.at_ns, c.moment_id
FROM changes AS c
ASOF INNER JOIN changing AS g ON g.gpu = c.gpu AND g.global_tid = c.global_tid AND c.at_ns > g.start_ns
WHERE c.at_ns < g.late_until_ns
UNION
SELECT t.gap_id, t.at_ns, CAST(m.rowid AS INTEGER)
FROM turns AS t
ASOF LEFT JOIN moments AS m ON m.global_tid = t.global_tid AND t.at_ns >= m.at_ns;

CREATE TABLE lost_pieces AS
WITH points AS (
    SELECT gap_id, at_ns, moment_id FROM gap_cuts
    UNION ALL
    SELECT gap_id, start_ns, moment_id FROM gaps WHERE gap_id IN (SELECT gap_id FROM gap_cuts)
),

cut AS (
    SELECT
        g.gap_id,
        g.gpu,
        g.pid,
        g.global_tid,
        p.at_ns AS start_ns,
        coalesce(lead(p.at_ns) OVER (PARTITION BY p.gap_id ORDER BY p.at_ns), g.end_ns) AS end_ns,
        g.launch_start_ns,
        coalesce(g.launched_until_ns, g.start_ns) AS launched_until_ns,
        g.late_until_ns,
        p.moment_id
    FROM points AS p
    INNER JOIN gaps AS g ON g.gap_id = p.gap_id
),

pieces AS (
    SELECT
        gap_id, gpu, pid, global_tid, start_ns, end_ns, launch_start_ns, coalesce(launched_until_ns, start_ns) AS launched_until_ns,
        late_until_ns, moment_id
    FROM gaps
    WHERE gap_id NOT IN (SELECT gap_id FROM gap_cuts)
    UNION ALL
    FROM cut
),

at_moments AS (
    SELECT
        CAST(m.rowid AS INTEGER) AS moment_id, m.range_id, m.step, f.end_ns, f.since_ns, f.name_id, f.on_global_tid,
        -- a thread that only runs code, or launches, is told below
        CASE WHEN f.state NOT IN ('run', 'other', 'stream_wait', 'host_function') THEN CAST(f.state AS slice_state) END AS state
    FROM moments AS m
    LEFT JOIN followed_states AS f ON f.state_id = m.state_id
),

stated AS (
    SELECT
        p.gap_id,
        p.gpu,
        p.pid,
        p.start_ns,
        p.end_ns,
        CASE
            WHEN p.launch_start_ns IS NULL THEN CAST('unknown' AS slice_state)
            -- 50 us: between two queued ops an H200's front end takes 0.8 to 3 us, and 10 us where the next is a graph or a copy.
            -- What waits longer waits for something else.
            WHEN p.start_ns >= p.late_until_ns AND p.end_ns - p.start_ns < 50000 THEN CAST('queued' AS slice_state)
            WHEN p.start_ns >= p.late_until_ns THEN CAST('stalled' AS slice_state)
            WHEN f.state IS NOT NULL THEN f.state
            -- 1 ms: between two launches, eager and compiled PyTorch spend 5 to 50 us, and up to 0.8 ms where an
            -- optimizer or a step begins (adamw_broken, compile_full); a program's own work takes longer. The first, which the
            -- second implies, tells most of a million gaps in half the time.
            WHEN p.launch_start_ns - p.launched_until_ns >= 1000000
                AND least(p.launch_start_ns, coalesce(f.end_ns, p.launch_start_ns))
                - greatest(p.launched_until_ns, coalesce(f.since_ns, 0)) >= 1000000 THEN CAST('run' AS slice_state)
            ELSE CAST('submit' AS slice_state)
        END AS state,
        CASE WHEN p.start_ns < p.late_until_ns THEN f.name_id END AS name_id,
        coalesce(f.on_global_tid, p.global_tid) AS on_global_tid,
        f.range_id,
        f.step
    FROM pieces AS p
    LEFT JOIN at_moments AS f ON f.moment_id = p.moment_id
),

lost AS (
    SELECT
        s.gap_id, NULL AS op_id, s.gpu, s.pid, s.start_ns, s.end_ns, s.state, s.name_id, s.on_global_tid, s.range_id, s.step,
        h.blocked_for,
        -- the launch path right after a blocking call would have run ahead in any case
        coalesce(s.start_ns < h.ahead_until_ns OR (h.spans AND s.state = 'submit'), false) AS was_ahead
    FROM stated AS s
    LEFT JOIN shadows AS h ON h.gap_id = s.gap_id
    UNION ALL
    SELECT
        NULL, e.op_id, e.gpu, o.pid, e.start_ns, e.end_ns, CAST(e.kind AS slice_state), NULL, o.global_tid,
        CASE WHEN n.end_ns > e.start_ns THEN n.range_id END,
        CASE WHEN w.end_ns > e.start_ns THEN w.step END,
        NULL, false
    FROM exposures AS e
    INNER JOIN ops AS o ON o.op_id = e.op_id
    ASOF LEFT JOIN nvtx_states AS n ON n.pid = o.pid AND e.start_ns >= n.start_ns
    ASOF LEFT JOIN window_steps AS w ON e.start_ns >= w.start_ns
)

SELECT *, CAST(NULL AS INTEGER) AS claimed
FROM lost;

-- Numbered by the place in the table: counting them one after the other, as a window does, takes as long as all the rest.
CREATE VIEW slices AS
SELECT CAST(rowid AS INTEGER) AS slice_id, * EXCLUDE (claimed)
FROM lost_pieces;

COMMENT ON TYPE slice_state IS 'states of slices';
COMMENT ON TABLE gap_cuts IS 'times inside gaps at which what the submitter does changes';
COMMENT ON COLUMN gap_cuts.gap_id IS 'as in gaps';
COMMENT ON COLUMN gap_cuts.at_ns IS 'time, ns since the session began';
COMMENT ON COLUMN gap_cuts.moment_id IS 'the last of moments up to it: its row there; NULL where none is';
COMMENT ON TABLE lost_pieces IS 'slices as they are stored: the row is the slice_id';
COMMENT ON COLUMN lost_pieces.gap_id IS 'as in slices';
COMMENT ON COLUMN lost_pieces.op_id IS 'as in slices';
COMMENT ON COLUMN lost_pieces.gpu IS 'as in slices';
COMMENT ON COLUMN lost_pieces.pid IS 'as in slices';
COMMENT ON COLUMN lost_pieces.start_ns IS 'as in slices';
COMMENT ON COLUMN lost_pieces.end_ns IS 'as in slices';
COMMENT ON COLUMN lost_pieces.state IS 'as in slices';
COMMENT ON COLUMN lost_pieces.name_id IS 'as in slices';
COMMENT ON COLUMN lost_pieces.on_global_tid IS 'as in slices';
COMMENT ON COLUMN lost_pieces.range_id IS 'as in slices';
COMMENT ON COLUMN lost_pieces.step IS 'as in slices';
COMMENT ON COLUMN lost_pieces.blocked_for IS 'as in slices';
COMMENT ON COLUMN lost_pieces.was_ahead IS 'as in slices';
COMMENT ON COLUMN lost_pieces.claimed IS 'least rule of the claims on it, as in claims; NULL where there is none';
