-- The window, cut into cells of one length; and those in which nothing changes for a submitter. What holds at a time in such a
-- cell is looked up by its number: for most of a million gaps so, instead of by order, which takes three times as long.
CREATE TABLE window_cells AS
-- four to a moment, so that most hold none; and where moments abound, no more than one to eight ops, so that they cost little
SELECT
    w.start_ns AS from_ns,
    greatest(
        1, (w.end_ns - w.start_ns) // greatest(1, least(4 * m.moments, (SELECT count(*) FROM ops) // 8) // greatest(1, m.submitters))
    ) AS length_ns
FROM (SELECT count(*) AS moments, count(DISTINCT global_tid) AS submitters FROM moments) AS m
CROSS JOIN "window" AS w;

CREATE TABLE quiet_cells AS
WITH stretches AS (
    SELECT
        m.global_tid,
        CAST(m.rowid AS INTEGER) AS moment_id,
        m.next_cut_ns,
        greatest(m.at_ns, w.start_ns) - w.start_ns AS since_ns,
        least(lead(m.at_ns) OVER (PARTITION BY m.global_tid ORDER BY m.at_ns), w.end_ns) - w.start_ns AS until_ns
    FROM moments AS m, "window" AS w
)

SELECT
    s.global_tid, s.moment_id, s.next_cut_ns,
    -- that lie wholly in the stretch
    unnest(range((s.since_ns + c.length_ns - 1) // c.length_ns, s.until_ns // c.length_ns)) AS cell
FROM stretches AS s, window_cells AS c;

COMMENT ON TABLE window_cells IS 'into which the window is cut: one row';
COMMENT ON COLUMN window_cells.from_ns IS 'start of cell 0, ns since the session began';
COMMENT ON COLUMN window_cells.length_ns IS 'length of a cell, ns';
COMMENT ON TABLE quiet_cells IS 'the cells that lie between two moments of a submitter';
COMMENT ON COLUMN quiet_cells.global_tid IS 'as in moments';
COMMENT ON COLUMN quiet_cells.moment_id IS 'the moment before it: its row in moments';
COMMENT ON COLUMN quiet_cells.next_cut_ns IS 'as of that moment';
COMMENT ON COLUMN quiet_cells.cell IS 'number of the cell, from 0';
