-- The NVTX ranges of each process's main thread, flattened to the innermost, with the path from the outermost.
CREATE TABLE nvtx_events AS
SELECT
    CAST(row_number() OVER (ORDER BY n.pid, n.start_ns, n.end_ns DESC, n.name) AS INTEGER) AS event_id,
    n.pid AS track,
    n.start_ns,
    n.end_ns,
    n.name
FROM nvtx_ranges AS n
INNER JOIN submitters AS s ON s.global_tid = n.global_tid AND s.main;

CREATE TABLE nvtx_states AS
SELECT track AS pid, start_ns, end_ns, innermost AS range_id
FROM flatten('nvtx_events');

-- Each event's path: its ancestors are those that were open, innermost last, when it started.
CREATE TABLE nvtx_paths AS
WITH RECURSIVE starts AS (
    SELECT e.event_id, e.name, s.range_id AS parent
    FROM nvtx_events AS e
    ASOF LEFT JOIN nvtx_states AS s ON s.pid = e.track AND e.start_ns > s.start_ns
),

paths AS (
    SELECT event_id, parent, name AS path, 1 AS depth
    FROM starts
    UNION ALL
    SELECT p.event_id, s.parent, s.name || ' > ' || p.path, p.depth + 1
    FROM paths AS p
    INNER JOIN starts AS s ON s.event_id = p.parent
    WHERE p.depth < 16
)

SELECT event_id, arg_max(path, depth) AS path, max(depth) AS depth
FROM paths
GROUP BY event_id;

COMMENT ON TABLE nvtx_events IS 'NVTX ranges of each process''s main thread';
COMMENT ON COLUMN nvtx_events.event_id IS 'number in order of process and start';
COMMENT ON COLUMN nvtx_events.track IS 'process id';
COMMENT ON COLUMN nvtx_events.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN nvtx_events.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN nvtx_events.name IS 'text of the range';
COMMENT ON TABLE nvtx_paths IS 'the path of each NVTX range from the outermost to itself';
COMMENT ON COLUMN nvtx_paths.event_id IS 'the range, in nvtx_events';
COMMENT ON COLUMN nvtx_paths.path IS 'names from the outermost range to this one, joined by " > "; at most 16';
COMMENT ON COLUMN nvtx_paths.depth IS '1 for an outermost range';
COMMENT ON TABLE nvtx_states IS 'the innermost NVTX range of each process''s main thread at each instant';
COMMENT ON COLUMN nvtx_states.pid IS 'process id';
COMMENT ON COLUMN nvtx_states.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN nvtx_states.end_ns IS 'end, ns';
COMMENT ON COLUMN nvtx_states.range_id IS 'the innermost range, in nvtx_events and nvtx_paths; NULL outside of all';
