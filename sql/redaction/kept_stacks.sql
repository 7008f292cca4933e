-- One row for each stack of Python samples: its frames that are shared, as Nsight writes them. A stack without such frames still
-- says that there was a sample.
-- reads: python_stacks, redacted.kept_frames
CREATE TABLE redacted.kept_stacks AS
SELECT
    s.stack_id,
    CAST(json_object('Python Periodic Sampling', json_object(
        'Frames',
        coalesce(
            list(json_object('File', f.file_id, 'Function', f.function_id, 'Line', f.line) ORDER BY f.depth)
            FILTER (WHERE f.stack_id IS NOT NULL),
            []
        )
    )) AS VARCHAR) AS json
FROM python_stacks AS s
LEFT JOIN redacted.kept_frames AS f ON f.stack_id = s.stack_id
GROUP BY s.stack_id;
