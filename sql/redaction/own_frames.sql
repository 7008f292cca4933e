-- One row for each Python sample: the frame that is read.
-- reads: python_samples, strings
CREATE TABLE redacted.own_frames AS
SELECT
    p.at_ns,
    p.global_tid,
    p.line,
    (SELECT min(string_id) FROM strings WHERE text = p.file) AS file_id,
    (SELECT min(string_id) FROM strings WHERE text = p.function) AS function_id
FROM python_samples AS p;
