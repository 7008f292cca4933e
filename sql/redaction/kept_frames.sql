-- One row for each function in Python samples whose name is shared: of the innermost frame of the user's own code, which is
-- blamed, and of those of libraries that speak for a cause, or that an advice looks for.
-- reads: python_frames, stack_matches
CREATE TABLE redacted.kept_frames AS
WITH frames AS (
    SELECT f.*, f.own AND f.depth = min(f.depth) FILTER (WHERE f.own) OVER (PARTITION BY f.stack_id) AS blamed, c.matched
    FROM python_frames AS f
    LEFT JOIN stack_matches AS c ON c.stack_id = f.stack_id
)

SELECT DISTINCT file_id, function_id, own
FROM frames
WHERE
    blamed OR contains(matched, frame)
    OR regexp_matches(frame, 'torch/(utils/data/dataloader|nn/parallel/data_parallel)\.py:');
