-- One row for each library and function on the stacks of CPU samples that speaks for a cause.
-- reads: cpu_frames, sample_patterns
CREATE TABLE cpu_frame_matches AS
SELECT f.library, f.function, min(p.cause) AS cause, bool_or(p.kind = 'library') AS by_library
FROM (SELECT DISTINCT library, function FROM cpu_frames) AS f
INNER JOIN sample_patterns AS p
    ON
        (p.kind = 'library' AND regexp_matches(f.library, p.pattern))
        OR (p.kind = 'function' AND regexp_matches(f.function, p.pattern))
GROUP BY f.library, f.function;

COMMENT ON TABLE cpu_frame_matches IS 'libraries and functions that speak for a cause';
COMMENT ON COLUMN cpu_frame_matches.by_library IS 'true where the library speaks for it, whatever the function';
