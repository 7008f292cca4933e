-- NVTX ranges, thread states and Python samples with names.
CREATE VIEW main.nvtx_ranges AS
WITH placed AS (
    SELECT s.global_tid, e.start_ns, e.end_ns, e.name, min(p.path) AS path
    FROM layers.nvtx_events AS e
    INNER JOIN layers.nvtx_paths AS p ON p.event_id = e.event_id
    INNER JOIN layers.submitters AS s ON s.pid = e.track AND s.main
    GROUP BY ALL
)

SELECT n.*, n.end_ns - n.start_ns AS length_ns, p.path AS nvtx, t.thread, t.process
FROM layers.nvtx_ranges AS n
LEFT JOIN placed AS p ON p.global_tid = n.global_tid AND p.start_ns = n.start_ns AND p.end_ns = n.end_ns AND p.name = n.name
LEFT JOIN layers.thread_names AS t ON t.global_tid = n.global_tid;

CREATE VIEW main.nvtx_states AS
SELECT n.*, n.end_ns - n.start_ns AS length_ns, p.path AS nvtx
FROM layers.nvtx_states AS n
LEFT JOIN layers.nvtx_paths AS p ON p.event_id = n.range_id;

CREATE VIEW main.thread_states AS
SELECT s.* EXCLUDE (name_id), n.name, s.end_ns - s.start_ns AS length_ns, t.thread, t.process
FROM layers.thread_states AS s
LEFT JOIN layers.call_names AS n ON n.string_id = s.name_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = s.global_tid;

CREATE VIEW main.followed_states AS
SELECT s.* EXCLUDE (name_id), n.name, s.end_ns - s.start_ns AS length_ns, t.thread, t.process, o.thread AS on_thread
FROM layers.followed_states AS s
LEFT JOIN layers.call_names AS n ON n.string_id = s.name_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = s.global_tid
LEFT JOIN layers.thread_names AS o ON o.global_tid = s.on_global_tid;

CREATE VIEW main.python_samples AS
SELECT s.*, t.thread, t.process
FROM layers.python_samples AS s
LEFT JOIN layers.thread_names AS t ON t.global_tid = s.global_tid;

COMMENT ON VIEW main.nvtx_ranges IS 'NVTX ranges of the program, with names and paths';
COMMENT ON COLUMN main.nvtx_ranges.length_ns IS 'length, ns';
COMMENT ON COLUMN main.nvtx_ranges.nvtx IS 'path from the outermost range to this one, joined by " > "; NULL on other threads than a main one';
COMMENT ON COLUMN main.nvtx_ranges.thread IS 'name of the thread';
COMMENT ON COLUMN main.nvtx_ranges.process IS 'name of the process';
COMMENT ON VIEW main.nvtx_states IS 'the innermost NVTX range of each process''s main thread at each instant, with its path';
COMMENT ON COLUMN main.nvtx_states.length_ns IS 'length, ns';
COMMENT ON COLUMN main.nvtx_states.nvtx IS 'path of the range';
COMMENT ON VIEW main.thread_states IS 'each submitter''s timeline, flattened to its innermost state, with names';
COMMENT ON COLUMN main.thread_states.name IS 'the call that makes the state, without its version suffix; NULL for run';
COMMENT ON COLUMN main.thread_states.length_ns IS 'length, ns';
COMMENT ON COLUMN main.thread_states.thread IS 'name of the thread';
COMMENT ON COLUMN main.thread_states.process IS 'name of the process';
COMMENT ON VIEW main.followed_states IS 'thread_states with waits for the peer thread replaced by what the peer does, with names';
COMMENT ON COLUMN main.followed_states.name IS 'the call that makes the state, without its version suffix';
COMMENT ON COLUMN main.followed_states.length_ns IS 'length, ns';
COMMENT ON COLUMN main.followed_states.thread IS 'name of the submitter';
COMMENT ON COLUMN main.followed_states.process IS 'name of the process';
COMMENT ON COLUMN main.followed_states.on_thread IS 'name of the thread whose state this is';
COMMENT ON VIEW main.python_samples IS 'the innermost line of the user''s own code at each Python sample, with the thread''s name';
COMMENT ON COLUMN main.python_samples.thread IS 'name of the thread';
COMMENT ON COLUMN main.python_samples.process IS 'name of the process';
