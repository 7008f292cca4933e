-- One row for each stack of Python samples, as Nsight writes it. All frames are there, since loops are found by what two stacks
-- share; names are those of kept_frames, and of the others only the lines are known.
-- reads: python_frames
CREATE TABLE redacted.kept_stacks AS
SELECT
    stack_id,
    CAST(json_object('Python Periodic Sampling', json_object(
        'Frames', list(json_object('File', file_id, 'Function', function_id, 'Line', line) ORDER BY depth)
    )) AS VARCHAR) AS json
FROM python_frames
GROUP BY stack_id;
