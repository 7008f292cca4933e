-- One row for each frame of a stack of Python samples that is shared: the innermost of the user's own code, which is blamed, and
-- those of libraries that speak for a cause, or that an advice looks for.
-- reads: python_frames, stack_matches
CREATE TABLE redacted.kept_frames AS
WITH frames AS (
    SELECT f.*, f.own AND f.depth = min(f.depth) FILTER (WHERE f.own) OVER (PARTITION BY f.stack_id) AS blamed, c.matched
    FROM python_frames AS f
    LEFT JOIN stack_matches AS c ON c.stack_id = f.stack_id
)

SELECT stack_id, depth, file_id, function_id, line, own
FROM frames
WHERE
    blamed OR contains(matched, frame)
    OR regexp_matches(frame, 'torch/(utils/data/dataloader|nn/parallel/data_parallel)\.py:');
