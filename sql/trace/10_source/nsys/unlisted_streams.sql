-- One row: how many activities run on streams that their process does not have. A stream runs its activities one after the other,
-- and one that is alone on a stream has no such witness for its times. Of 45 sound traces that list streams, only migrations of
-- managed memory are on none of them.
-- reads: copies, graph_launches, kernels, export.TARGET_INFO_CUDA_STREAM
CREATE TABLE unlisted_streams AS
WITH used AS (
    SELECT pid, stream, count(*) AS activities
    FROM (
        SELECT pid, stream FROM kernels
        UNION ALL
        SELECT pid, stream FROM graph_launches
        UNION ALL
        SELECT pid, stream FROM copies WHERE NOT starts_with(direction, 'Unified ')
    )
    WHERE stream IS NOT NULL
    GROUP BY pid, stream
),

listed AS (
    SELECT DISTINCT processId AS pid, streamId AS stream FROM export.TARGET_INFO_CUDA_STREAM
)

SELECT
    'activities on streams that their process does not have' AS kind,
    sum(u.activities) FILTER (l.stream IS NULL) AS "rows",
    sum(u.activities) AS all_rows
FROM used AS u
LEFT JOIN listed AS l ON l.pid = u.pid AND l.stream = u.stream
WHERE u.pid IN (SELECT pid FROM listed);

COMMENT ON TABLE unlisted_streams IS 'how many activities are on streams that the export does not list';
COMMENT ON COLUMN unlisted_streams.kind IS 'the rows, in words';
