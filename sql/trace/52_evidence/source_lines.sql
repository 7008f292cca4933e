-- The lines of the user's code to blame for each cause: the one with the most samples, and the next, if it has a twentieth of
-- these. The file of a cause may state in a view `lines_X` which samples count for it; else those in its segments count.
-- reads: causes, lines, mentioned_share, python_samples_in_segments
CREATE TABLE source_lines AS
WITH samples AS (
    SELECT cause, file, line, function FROM lines
    UNION ALL
    SELECT cause, file, line, function
    FROM python_samples_in_segments
    WHERE cause NOT IN (SELECT cause FROM causes WHERE states_lines)
)

SELECT cause, file, line, mode(function ORDER BY function) AS function, count(*) AS samples
FROM samples
GROUP BY cause, file, line
QUALIFY
    row_number() OVER (PARTITION BY cause ORDER BY count(*) DESC, file, line) <= 2
    AND count(*) >= mentioned_share() * max(count(*)) OVER (PARTITION BY cause)
ORDER BY cause, samples DESC;

COMMENT ON TABLE source_lines IS 'lines of the user''s own code to blame for each cause: the one with the most samples, and the next, if it has a twentieth of these';
COMMENT ON COLUMN source_lines.file IS 'path of the file as captured';
COMMENT ON COLUMN source_lines.line IS 'line';
COMMENT ON COLUMN source_lines.function IS 'function';
