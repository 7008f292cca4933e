/* cause
meaning = "a launching thread read, wrote or flushed files, or waited for one that wrote them"
usual_fix = "Write checkpoints asynchronously and less often; read ahead; keep logging off the critical thread."
needs = ["os_calls"]
color = "#8e5222"
color_dark = "#be3503"
names = [
    "check_?point",
    "ckpt",
    "save_?(model|state|weights|snapshot)",
    "torch\\.save",
    "snapshot",
]
names_proven_by = ["io", "download"]
frames = [
    "torch/serialization\\.py:",
    "torch/distributed/checkpoint/",
    "safetensors/",
    "numpy/lib/(npyio|_npyio_impl|format)\\.py:",
    "pandas/io/",
]

[[states]]
state = "io"
priority = 30
*/

-- File calls are a state. Here: code that samples see in a library that writes or reads files, since serialising is part of
-- writing; the code around file calls, where a range is named after saving, or where they make a quarter of the gap; and waits
-- during which other threads write files.
-- reads: gap_facts, matched_segments, named_ranges, own_work_ns, segments, writer_waits
CREATE VIEW rules_storage_io AS
SELECT segment_id, 29 AS priority, 'seen' AS basis
FROM matched_segments
WHERE cause = 'storage_io'
UNION ALL
SELECT s.segment_id, 34, 'named'
FROM segments AS s
INNER JOIN named_ranges AS n ON n.range_id = s.range_id AND n.cause = 'storage_io'
WHERE s.state IN ('run', 'launch', 'sleep', 'wait')
UNION ALL
SELECT s.segment_id, 36, 'inferred'
FROM segments AS s
INNER JOIN gap_facts AS g ON g.gap_id = s.gap_id
WHERE s.state IN ('run', 'launch') AND g.io_ns >= 0.25 * g.length_ns AND g.length_ns >= own_work_ns()
UNION ALL
SELECT segment_id, 49, 'inferred'
FROM writer_waits;

-- A file is opened to read it or to write it, so that opening tells nothing. Who waits for a thread that writes has it write in
-- the background already.
-- reads: framework, strings, window_segments, writer_waits
CREATE VIEW fix_storage_io AS
WITH calls_made AS (
    SELECT t.text AS name, s.end_ns - s.start_ns AS lost_ns
    FROM window_segments AS s
    INNER JOIN strings AS t ON t.string_id = s.name_id
    WHERE s.cause = 'storage_io' AND s.state = 'io'
),

moved AS (
    SELECT
        coalesce(sum(lost_ns) FILTER (regexp_matches(name, 'read|gets|stat')), 0) AS read_ns,
        coalesce(sum(lost_ns) FILTER (regexp_matches(name, 'write|sync|put|rename|truncate')), 0) AS written_ns
    FROM calls_made
),

waited AS (
    SELECT
        coalesce(sum(end_ns - start_ns) FILTER (segment_id IN (SELECT segment_id FROM writer_waits)), 0) AS for_writer_ns,
        sum(end_ns - start_ns) AS lost_ns
    FROM window_segments
    WHERE cause = 'storage_io'
)

SELECT
    CASE
        WHEN 2 * for_writer_ns > lost_ns
            THEN
                'The launching thread waits until another thread has written its files. Save less often, or less at a time; '
                || 'write to a faster disk; or keep a second buffer, so that the next save need not wait for the one before.'
        WHEN read_ns > written_ns
            THEN
                'Read ahead in another thread or process, or stage the files on local disk or in memory before the loop.'
        ELSE
            'Save in the background: copy the state to pinned host memory without blocking, then write and fsync it in a thread '
            || 'or process of its own'
            || CASE framework WHEN 'pytorch' THEN ' (torch.distributed.checkpoint.async_save does both)' ELSE '' END
            || ', and save less often.'
    END AS fix
FROM moved, waited, framework;
