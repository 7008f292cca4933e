-- One row for each frame of the stack of a CPU sample, as --sample records it. Where a library has no symbols, Nsight writes the
-- address in place of the function.
-- reads: strings, export.SAMPLING_CALLCHAINS
CREATE VIEW cpu_frames AS
SELECT
    c.id AS sample_id,
    c.stackDepth AS depth,
    regexp_extract(m.text, '[^/\\]*$') AS library,
    CASE WHEN NOT coalesce(c.unresolved = 1, false) AND NOT starts_with(f.text, '0x') THEN f.text END AS function,
    c.module AS library_id,
    c.symbol AS function_id
FROM export.SAMPLING_CALLCHAINS AS c
INNER JOIN strings AS m ON m.string_id = c.module
LEFT JOIN strings AS f ON f.string_id = c.symbol
WHERE NOT starts_with(m.text, '[Unknown') AND NOT starts_with(m.text, '[Broken');

COMMENT ON VIEW cpu_frames IS 'the frames of the stacks of CPU samples; empty without --sample';
COMMENT ON COLUMN cpu_frames.sample_id IS 'as in cpu_samples';
COMMENT ON COLUMN cpu_frames.depth IS 'number in the stack, 0 for the innermost frame';
COMMENT ON COLUMN cpu_frames.library IS 'file name of the library or program';
COMMENT ON COLUMN cpu_frames.function IS 'name of the function; NULL where there is no symbol';
COMMENT ON COLUMN cpu_frames.library_id IS 'path of the library as captured, in strings';
COMMENT ON COLUMN cpu_frames.function_id IS 'the function as captured, in strings';
