-- Traces of the fleet that cannot be used, each with the reason.
-- reads: kept.rows
CREATE VIEW bad_traces AS
SELECT job, "rank", trace, error, size_bytes
FROM kept.rows
WHERE error IS NOT NULL
ORDER BY job, "rank", trace;

COMMENT ON VIEW bad_traces IS 'traces that cannot be used';
COMMENT ON COLUMN bad_traces.job IS 'the job that it is of, by its path';
COMMENT ON COLUMN bad_traces.rank IS 'rank in the job, by its path; NULL where that does not say';
COMMENT ON COLUMN bad_traces.trace IS 'path or URL, as it was given';
COMMENT ON COLUMN bad_traces.error IS 'what is wrong with it';
