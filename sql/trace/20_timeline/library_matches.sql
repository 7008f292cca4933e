-- One row for each library on the stacks of CPU samples that speaks for a cause.
-- reads: cpu_frames, sample_patterns
CREATE TABLE library_matches AS
SELECT l.library, min(p.cause) AS cause
FROM (SELECT DISTINCT library FROM cpu_frames) AS l
INNER JOIN sample_patterns AS p ON p.kind = 'cpu' AND regexp_matches(l.library, p.pattern)
GROUP BY l.library;

COMMENT ON TABLE library_matches IS 'libraries that speak for a cause';
COMMENT ON COLUMN library_matches.library IS 'as in cpu_frames';
COMMENT ON COLUMN library_matches.cause IS 'id of the cause';
