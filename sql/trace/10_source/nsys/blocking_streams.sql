-- One row for each stream that takes turns with the default stream of its GPU: the default stream itself, and those that were
-- not created as non-blocking. The flags are CUPTI's: 1 created without options, 2 as non-blocking, 3 the default stream. A
-- stream that is of another kind on another GPU is left out.
-- reads: export.TARGET_INFO_CUDA_STREAM
CREATE VIEW blocking_streams AS
SELECT processId AS pid, streamId AS stream, any_value(flag) = 3 AS by_default
FROM export.TARGET_INFO_CUDA_STREAM
GROUP BY ALL
HAVING min(flag) = max(flag) AND any_value(flag) IN (1, 3);

COMMENT ON VIEW blocking_streams IS 'streams that take turns with the default stream of their GPU';
COMMENT ON COLUMN blocking_streams.stream IS 'CUDA stream, unique within the process here';
COMMENT ON COLUMN blocking_streams.by_default IS 'true for the default stream itself';
