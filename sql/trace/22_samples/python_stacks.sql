-- One row for each stack that Python samples have: its frames as one text, and the innermost line of the user's own code.
-- reads: python_frames
CREATE TABLE python_stacks AS
SELECT
    stack_id,
    string_agg(frame, ' < ' ORDER BY depth) AS frames,
    arg_min(file, depth) FILTER (WHERE own) AS file,
    arg_min(line, depth) FILTER (WHERE own) AS line,
    arg_min(function, depth) FILTER (WHERE own) AS function
FROM python_frames
GROUP BY stack_id;

COMMENT ON TABLE python_stacks IS 'the stacks that Python samples have';
COMMENT ON COLUMN python_stacks.stack_id IS 'unique number';
COMMENT ON COLUMN python_stacks.frames IS 'each frame, as in python_frames, the innermost first, with " < " between them';
COMMENT ON COLUMN python_stacks.file IS 'file of the innermost frame of the user''s own code; NULL where there is none';
COMMENT ON COLUMN python_stacks.function IS 'function of that frame';
