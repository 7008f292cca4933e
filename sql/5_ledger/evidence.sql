-- What lets a reader check a finding in Nsight's own timeline: times, threads, calls, ranges, source lines.
CREATE VIEW evidence_places AS
-- The 64 longest slices of a cause are no shorter than any of 64 that are each the longest of one of its sums. To leave out all
-- that are shorter takes a fifth of the time in which a million are ranked.
WITH reached AS (
    SELECT cause, CASE WHEN count(*) >= 64 THEN list_min(max(longest_ns, 64)) ELSE 0 END AS least_ns FROM loss_totals GROUP BY cause
),

-- of each cause its 64 longest slices, whole: to look them up again takes as long as to find them
longest AS (
    SELECT
        s.cause,
        unnest(
            max_by(
                struct_pack(s.gpu, s.gap_id, s.op_id, s.start_ns, s.end_ns, s.range_id),
                row(s.end_ns - s.start_ns, -s.start_ns, -s.gpu),
                64
            ),
            recursive := true
        )
    FROM settled AS s
    INNER JOIN reached AS r ON r.cause = s.cause AND s.end_ns - s.start_ns >= r.least_ns
    GROUP BY s.cause
),

places AS (
    SELECT
        cause,
        gpu,
        min(start_ns) AS start_ns,
        max(end_ns) AS end_ns,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns,
        arg_max(range_id, end_ns - start_ns) AS range_id
    FROM longest
    GROUP BY cause, gpu, gap_id, op_id
)

SELECT p.cause, p.gpu, p.start_ns, p.end_ns, p.lost_ns, n.path
FROM places AS p
LEFT JOIN nvtx_paths AS n ON n.event_id = p.range_id
QUALIFY row_number() OVER (PARTITION BY p.cause ORDER BY p.lost_ns DESC, p.start_ns, p.gpu) <= 3
ORDER BY p.cause, p.lost_ns DESC, p.start_ns, p.gpu;

CREATE VIEW evidence_calls AS
WITH named AS (
    SELECT
        s.cause,
        coalesce(f.name, t.text) AS name,
        s.on_global_tid,
        count(*) AS times,
        CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
    FROM settled AS s
    INNER JOIN strings AS t ON t.string_id = s.name_id
    LEFT JOIN call_families AS f ON f.string_id = s.name_id
    GROUP BY ALL
)

SELECT n.cause, n.name, h.name AS thread, tid_of(n.on_global_tid) AS tid, n.times, n.lost_ns
FROM named AS n
LEFT JOIN threads AS h ON h.global_tid = n.on_global_tid
QUALIFY row_number() OVER (PARTITION BY n.cause ORDER BY n.lost_ns DESC, n.name, n.on_global_tid) <= 2
ORDER BY n.cause, n.lost_ns DESC, n.name;

CREATE VIEW evidence_ranges AS
SELECT s.cause, p.path, CAST(sum(s.slices) AS BIGINT) AS times, CAST(sum(s.lost_ns) AS BIGINT) AS lost_ns
FROM loss_totals AS s
INNER JOIN nvtx_paths AS p ON p.event_id = s.range_id
GROUP BY s.cause, p.path
QUALIFY row_number() OVER (PARTITION BY s.cause ORDER BY sum(s.lost_ns) DESC, p.path) <= 2
ORDER BY s.cause, lost_ns DESC, p.path;

CREATE VIEW evidence_copies AS
SELECT
    s.cause,
    c.direction,
    bool_or(c.pageable) AS pageable,
    count(DISTINCT c.op_id) AS times,
    CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns,
    CAST(median(c.bytes) AS BIGINT) AS bytes
FROM settled AS s
INNER JOIN copies AS c ON c.op_id = s.op_id
GROUP BY s.cause, c.direction
ORDER BY s.cause, lost_ns DESC;

-- In how many steps a cause strikes: those with at least a quarter of what it takes in its worst step.
CREATE VIEW evidence_steps AS
WITH struck AS (
    SELECT cause, step, sum(lost_ns) AS lost_ns
    FROM loss_totals
    WHERE step IS NOT NULL
    GROUP BY cause, step
),

worst AS (
    SELECT cause, max(lost_ns) AS lost_ns FROM struck GROUP BY cause
)

SELECT s.cause, count(*) AS steps, median(s.lost_ns) AS usual_ns
FROM struck AS s
INNER JOIN worst AS w ON w.cause = s.cause AND s.lost_ns >= 0.25 * w.lost_ns
GROUP BY s.cause;

CREATE VIEW evidence_ranks AS
SELECT s.gpu, c.last_gpu, count(DISTINCT c.op_id) AS times, CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
FROM settled AS s
INNER JOIN collectives AS c ON c.op_id = s.op_id
WHERE s.cause = 'rank_imbalance'
GROUP BY s.gpu, c.last_gpu
ORDER BY lost_ns DESC, s.gpu, c.last_gpu
LIMIT 3;

COMMENT ON VIEW evidence_places IS 'the three worst places of each cause';
COMMENT ON COLUMN evidence_places.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_places.gpu IS 'physical GPU';
COMMENT ON COLUMN evidence_places.start_ns IS 'start as in Nsight''s timeline, ns since the session began';
COMMENT ON COLUMN evidence_places.end_ns IS 'end, ns';
COMMENT ON COLUMN evidence_places.lost_ns IS 'time lost there, ns';
COMMENT ON COLUMN evidence_places.path IS 'NVTX path; NULL outside of all ranges';
COMMENT ON VIEW evidence_calls IS 'the calls in which each cause was met, the two that cost most';
COMMENT ON COLUMN evidence_calls.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_calls.name IS 'name of the call, without a version suffix';
COMMENT ON COLUMN evidence_calls.thread IS 'name of the thread';
COMMENT ON COLUMN evidence_calls.tid IS 'id of the thread';
COMMENT ON COLUMN evidence_calls.times IS 'number of slices';
COMMENT ON COLUMN evidence_calls.lost_ns IS 'time lost in them, ns';
COMMENT ON VIEW evidence_ranges IS 'the NVTX paths in which each cause was met, the two that cost most';
COMMENT ON COLUMN evidence_ranges.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_ranges.path IS 'NVTX path';
COMMENT ON COLUMN evidence_ranges.times IS 'number of slices';
COMMENT ON COLUMN evidence_ranges.lost_ns IS 'time lost in them, ns';
COMMENT ON VIEW evidence_copies IS 'the copies that ran alone, by direction';
COMMENT ON COLUMN evidence_copies.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_copies.direction IS 'as in copies';
COMMENT ON COLUMN evidence_copies.pageable IS 'true where one of them used pageable memory';
COMMENT ON COLUMN evidence_copies.times IS 'number of copies';
COMMENT ON COLUMN evidence_copies.lost_ns IS 'time in which they ran alone, ns';
COMMENT ON COLUMN evidence_copies.bytes IS 'median size, bytes';
COMMENT ON VIEW evidence_steps IS 'in how many steps each cause strikes';
COMMENT ON COLUMN evidence_steps.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_steps.steps IS 'steps with at least a quarter of its worst step''s loss';
COMMENT ON COLUMN evidence_steps.usual_ns IS 'median loss in them, ns';
COMMENT ON VIEW evidence_ranks IS 'which GPU waited for which in collectives, the three worst pairs';
COMMENT ON COLUMN evidence_ranks.gpu IS 'the GPU that waited';
COMMENT ON COLUMN evidence_ranks.last_gpu IS 'the GPU that came last';
COMMENT ON COLUMN evidence_ranks.times IS 'number of collectives';
COMMENT ON COLUMN evidence_ranks.lost_ns IS 'time waited with nothing computing, ns';
