-- What are the longest gaps: between which activities, because of what, and what did the launching thread do in them?
-- thread_did lists the states of the thread in the gap, longest first. queued and stalled: the activity was launched in time.
WITH longest AS (
    SELECT * FROM gaps ORDER BY length_ns DESC, gap_id LIMIT 10
),

states AS (
    SELECT s.gap_id, coalesce(s."call", s.state) AS did, sum(s.length_ns) AS did_ns
    FROM segments AS s
    WHERE s.gap_id IN (SELECT gap_id FROM longest)
    GROUP BY ALL
),

summaries AS (
    SELECT gap_id, string_agg(format('{} {:.3f} ms', did, did_ns / 1e6), ', ' ORDER BY did_ns DESC, did) AS thread_did
    FROM states
    GROUP BY gap_id
)

SELECT
    g.gpu,
    g.step,
    round(g.start_ns / 1e9, 6) AS at_s,
    round(g.length_ns / 1e6, 3) AS gap_ms,
    g.cause,
    g.before,
    g.after,
    g.nvtx,
    g.thread,
    t.thread_did
FROM longest AS g
INNER JOIN summaries AS t ON t.gap_id = g.gap_id
ORDER BY g.length_ns DESC, g.gap_id;
