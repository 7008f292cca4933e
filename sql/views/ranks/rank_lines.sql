-- The lines of the user's code to blame for what each rank loses, as source_lines has them for all
-- GPUs. Where the file of a cause states which samples count, they are of no GPU, and the cause has none here.
-- reads: causes, mentioned_share, python_samples_in_segments, rank_gpus
CREATE VIEW rank_lines AS
SELECT gpu, cause, file, line, mode(function ORDER BY function) AS function, count(*) AS samples
FROM python_samples_in_segments
WHERE gpu IN (SELECT gpu FROM rank_gpus) AND cause NOT IN (SELECT cause FROM causes WHERE states_lines)
GROUP BY gpu, cause, file, line
QUALIFY
    row_number() OVER (PARTITION BY gpu, cause ORDER BY count(*) DESC, file, line) <= 2
    AND count(*) >= mentioned_share() * max(count(*)) OVER (PARTITION BY gpu, cause)
ORDER BY gpu, cause, samples DESC, file, line;

COMMENT ON VIEW rank_lines IS 'lines of the user''s own code to blame for what each rank loses, as in source_lines';
COMMENT ON COLUMN rank_lines.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_lines.file IS 'path of the file as captured';
COMMENT ON COLUMN rank_lines.line IS 'line';
COMMENT ON COLUMN rank_lines.function IS 'function';
COMMENT ON COLUMN rank_lines.samples IS 'number of Python samples';
