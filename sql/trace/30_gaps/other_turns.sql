-- One row for each turn of a context of another program on a GPU, by recorded context switches. A context is of another program
-- if less than a hundredth of the GPU's activities in the trace start in its turns. Not none: of two processes on an H100 that
-- took turns of 2 ms, 27 of 19,046 activities of one seemed to start in turns of the other.
-- reads: activities, gpu_turns
CREATE TABLE other_turns AS
WITH starts AS (
    SELECT gpu, start_ns, count(*) OVER (PARTITION BY gpu) AS all_starts FROM activities WHERE EXISTS (FROM gpu_turns)
),

own AS (
    SELECT t.gpu, t.context
    FROM starts AS s
    ASOF INNER JOIN gpu_turns AS t ON t.gpu = s.gpu AND s.start_ns >= t.start_ns
    WHERE s.start_ns < t.end_ns
    GROUP BY t.gpu, t.context
    HAVING count(*) >= 0.01 * any_value(s.all_starts)
)

SELECT gpu, context, start_ns, end_ns
FROM gpu_turns
-- where nothing of the trace starts in any turn, the turns are not of its GPU
WHERE gpu IN (SELECT gpu FROM own) AND context NOT IN (SELECT context FROM own);

COMMENT ON TABLE other_turns IS 'when other programs had a GPU; empty where GPU context switches were not traced';
COMMENT ON COLUMN other_turns.gpu IS 'physical GPU';
COMMENT ON COLUMN other_turns.context IS 'as in gpu_turns';
COMMENT ON COLUMN other_turns.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN other_turns.end_ns IS 'end, ns';
