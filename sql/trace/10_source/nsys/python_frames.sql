-- One row for each frame of each stack that Python samples have. Nsight writes &lt; for <.
-- reads: strings, export.NVTX_EVENTS
CREATE TABLE python_frames AS
WITH recorded AS (
    SELECT DISTINCT coalesce(e.jsonText, j.text) AS stack
    FROM export.NVTX_EVENTS AS e
    LEFT JOIN strings AS j ON j.string_id = e.jsonTextId
    WHERE coalesce(e.jsonText, j.text) LIKE '{"Python Periodic Sampling"%'
),

stacks AS (
    SELECT
        hash(stack) AS stack_id,
        -- a CASE: DuckDB may evaluate conditions in any order, and json_extract fails on text that is no JSON
        CASE
            WHEN json_valid(stack)
                THEN
                    json_transform(
                        json_extract(stack, '$."Python Periodic Sampling".Frames'),
                        '[{"File": "BIGINT", "Function": "BIGINT", "Line": "BIGINT"}]'
                    )
        END AS frames
    FROM recorded
),

frames AS (
    SELECT stack_id, generate_subscripts(frames, 1) AS depth, unnest(frames, recursive := true)
    FROM stacks
),

texts AS (
    SELECT string_id, replace(replace(replace(text, '&lt;', '<'), '&gt;', '>'), '&amp;', '&') AS text
    FROM strings
    WHERE string_id IN (SELECT unnest([f."File", f."Function"]) FROM frames AS f)
)

SELECT
    f.stack_id,
    f.depth,
    file.text AS file,
    coalesce(func.text, '?') AS function,
    f."Line" AS line,
    regexp_replace(file.text, '^.*/((site|dist)-packages|lib(64)?/python[0-9.]+)/', '')
    || ':' || coalesce(func.text, '?') AS frame,
    f."File" AS file_id,
    f."Function" AS function_id,
    -- torch.compile writes its code to files that it names by their hash: …/cl/cclpgib….py
    NOT regexp_matches(file.text, '(site|dist)-packages|/lib(64)?/python[0-9.]+/|/[a-z2-7]{2}/c[a-z2-7]{40,}\.py$')
    AND (NOT starts_with(file.text, '<') OR starts_with(file.text, '<ipython-input')) AS own
FROM frames AS f
INNER JOIN texts AS file ON file.string_id = f."File"
LEFT JOIN texts AS func ON func.string_id = f."Function";

COMMENT ON TABLE python_frames IS 'the frames of the stacks that Python samples have';
COMMENT ON COLUMN python_frames.depth IS 'number in the stack, 1 for the innermost frame';
COMMENT ON COLUMN python_frames.file IS 'path of the file';
COMMENT ON COLUMN python_frames.function IS 'name of the function';
COMMENT ON COLUMN python_frames.frame IS 'FILE:FUNCTION; the file of a package begins with the name of the package, that of the standard library with its module';
COMMENT ON COLUMN python_frames.file_id IS 'the file as captured, in strings';
COMMENT ON COLUMN python_frames.function_id IS 'the function as captured, in strings';
COMMENT ON COLUMN python_frames.own IS 'true for the user''s own code: no package, not the standard library, and no code that was made at run time';
