-- The lines of the user's code to blame for each cause: those on which it was sampled, the two with the most samples. The file of a
-- cause may say which samples count for it; for others those in its segments do.
-- reads: causes, lines, segment_samples
CREATE VIEW source_lines AS
WITH samples AS (
    SELECT cause, file, line, function FROM lines
    UNION ALL
    SELECT cause, file, line, function FROM segment_samples WHERE cause NOT IN (SELECT cause FROM causes WHERE states_lines)
)

SELECT cause, file, line, any_value(function) AS function, count(*) AS samples
FROM samples
GROUP BY cause, file, line
QUALIFY row_number() OVER (PARTITION BY cause ORDER BY count(*) DESC, file, line) <= 2
ORDER BY cause, samples DESC;

COMMENT ON VIEW source_lines IS 'lines of the user''s own code to blame for each cause, the two with the most samples';
COMMENT ON COLUMN source_lines.cause IS 'id of the cause';
COMMENT ON COLUMN source_lines.file IS 'path of the file as captured';
COMMENT ON COLUMN source_lines.line IS 'line';
COMMENT ON COLUMN source_lines.function IS 'function';
COMMENT ON COLUMN source_lines.samples IS 'number of samples';
