-- Of the lines on which other threads work while a launching thread waits for a batch, the one with the most samples. Fewer than
-- ten tell little.
-- reads: producer_samples, python_samples
CREATE VIEW producer_lines AS
SELECT file, line, mode(function ORDER BY function) AS function, count(*) AS samples
FROM python_samples
WHERE sample_id IN (FROM producer_samples)
GROUP BY file, line
HAVING count(*) >= 10
ORDER BY samples DESC, file, line
LIMIT 1;

COMMENT ON VIEW producer_lines IS 'the line that makes the batch for which a launching thread waits, on another thread';
COMMENT ON COLUMN producer_lines.file IS 'path of the file as captured';
COMMENT ON COLUMN producer_lines.line IS 'line';
COMMENT ON COLUMN producer_lines.function IS 'function';
