-- One row for each sample of --python-sampling: the innermost frame of the user's own code. Frames come innermost first.
-- Installed packages, the standard library and code without a file are not the user's code; a cell of a notebook is. Nsight writes
-- &lt; for <, as in &lt;frozen os&gt;.
-- reads: is_interval, strings, export.NVTX_EVENTS
CREATE TABLE python_samples AS
WITH samples AS (
    SELECT
        e."start" AS at_ns,
        e.globalTid AS global_tid,
        -- a text may begin like JSON and be none
        CASE
            WHEN json_valid(coalesce(e.jsonText, j.text))
                THEN
                    json_transform(
                        json_extract(coalesce(e.jsonText, j.text), '$."Python Periodic Sampling".Frames'),
                        '[{"File": "BIGINT", "Function": "BIGINT", "Line": "BIGINT"}]'
                    )
        END AS frames
    FROM export.NVTX_EVENTS AS e
    LEFT JOIN strings AS j ON j.string_id = e.jsonTextId
    WHERE coalesce(e.jsonText, j.text) LIKE '{"Python Periodic Sampling"%' AND is_interval(e."start", e."start")
),

frames AS (
    SELECT at_ns, global_tid, generate_subscripts(frames, 1) AS depth, unnest(frames, recursive := true)
    FROM samples
)

SELECT
    CAST(row_number() OVER () AS INTEGER) AS sample_id,
    f.at_ns,
    f.global_tid,
    arg_min(file.text, f.depth) AS file,
    arg_min(f."Line", f.depth) AS line,
    arg_min(coalesce(func.text, '?'), f.depth) AS function
FROM frames AS f
INNER JOIN strings AS file ON file.string_id = f."File"
LEFT JOIN strings AS func ON func.string_id = f."Function"
WHERE
    NOT regexp_matches(file.text, '(site|dist)-packages|/lib(64)?/python[0-9.]+/')
    AND (NOT regexp_matches(file.text, '^(<|&lt;)') OR regexp_matches(file.text, '^(<|&lt;)ipython-input'))
GROUP BY f.at_ns, f.global_tid;

COMMENT ON TABLE python_samples IS 'Python line of the user''s own code at each sample; empty without --python-sampling and --include-json';
COMMENT ON COLUMN python_samples.sample_id IS 'unique number, in no order';
COMMENT ON COLUMN python_samples.at_ns IS 'CPU time of the sample, ns since the session began';
COMMENT ON COLUMN python_samples.global_tid IS 'thread, in threads';
COMMENT ON COLUMN python_samples.file IS 'file of the innermost frame that is not in a package';
COMMENT ON COLUMN python_samples.line IS 'line in that file';
COMMENT ON COLUMN python_samples.function IS 'function of that frame';
