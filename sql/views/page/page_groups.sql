-- One row for each group of spans that lie on one track and say the same. Millions of spans have few groups: what they say is
-- looked up once for a group.
-- reads: trace.activity_name, trace.call_names, trace.page_spans, trace.page_threads, trace.paths, trace.strings
-- reads: trace.thread_names
CREATE TABLE page_groups AS
WITH groups AS (
    SELECT DISTINCT shows, gpu, pid, global_tid, stream, depth, kind, name_id, name, state, on_global_tid, path_id
    FROM trace.page_spans
),

named AS (
    SELECT
        g.* EXCLUDE (name),
        g.name AS own_name,
        CASE
            WHEN g.shows = 'lost' THEN NULL
            WHEN g.shows IN ('stream', 'launch') THEN trace.activity_name(s.text, g.name)
            ELSE coalesce(g.name, c.name)
        END AS name,
        CASE WHEN g.shows = 'lost' THEN c.name END AS "call",
        CASE WHEN g.shows = 'lost' THEN t.thread END AS thread,
        p.path AS nvtx,
        CASE WHEN g.shows = 'stream' THEN h.number END AS launch_thread
    FROM groups AS g
    LEFT JOIN trace.strings AS s ON s.string_id = g.name_id
    LEFT JOIN trace.call_names AS c ON c.string_id = g.name_id
    LEFT JOIN trace.thread_names AS t ON t.global_tid = g.on_global_tid
    LEFT JOIN trace.page_threads AS h ON h.global_tid = g.on_global_tid
    LEFT JOIN trace.paths AS p ON p.path_id = g.path_id
)

SELECT
    CAST(row_number() OVER (
        ORDER BY
            shows, gpu, pid, global_tid, stream, depth, kind, name, state, "call", thread, nvtx, name_id, on_global_tid, path_id
    ) - 1 AS INTEGER) AS group_id,
    *
FROM named;

COMMENT ON TABLE page_groups IS 'what the boxes of a report say: groups of spans on one track that say the same';
COMMENT ON COLUMN page_groups.group_id IS 'number from 0, in order of the tracks';
COMMENT ON COLUMN page_groups.gpu IS 'as in page_spans';
COMMENT ON COLUMN page_groups.global_tid IS 'as in page_spans';
COMMENT ON COLUMN page_groups.stream IS 'as in page_spans';
COMMENT ON COLUMN page_groups.depth IS 'as in page_spans';
COMMENT ON COLUMN page_groups.own_name IS 'name in page_spans';
COMMENT ON COLUMN page_groups.path_id IS 'as in page_spans';
COMMENT ON COLUMN page_groups.name IS 'name; NULL for lost time';
COMMENT ON COLUMN page_groups."call" IS 'of lost time: the call in which the launching thread did that';
COMMENT ON COLUMN page_groups.thread IS 'of lost time: the thread that did that';
COMMENT ON COLUMN page_groups.nvtx IS 'of lost time: NVTX path';
COMMENT ON COLUMN page_groups.launch_thread IS 'of activities: number of the launching thread, as in page_threads';
