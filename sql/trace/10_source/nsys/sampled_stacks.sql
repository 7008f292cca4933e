-- One row for each Python sample: when it was taken, and the id of its stack. The frames are JSON, in the event or behind its
-- jsonTextId. A hundred thousand samples have a few hundred stacks, so that each stack is read once, in python_frames.
-- reads: is_interval, strings, export.NVTX_EVENTS
CREATE TABLE sampled_stacks AS
SELECT
    CAST(row_number() OVER () AS INTEGER) AS sample_id,
    e."start" AS at_ns,
    e.globalTid AS global_tid,
    hash(coalesce(e.jsonText, j.text)) AS stack_id
FROM export.NVTX_EVENTS AS e
LEFT JOIN strings AS j ON j.string_id = e.jsonTextId
WHERE coalesce(e.jsonText, j.text) LIKE '{"Python Periodic Sampling"%' AND is_interval(e."start", e."start");

COMMENT ON TABLE sampled_stacks IS 'Python samples; empty without --python-sampling and --include-json';
COMMENT ON COLUMN sampled_stacks.sample_id IS 'unique number, in no order';
COMMENT ON COLUMN sampled_stacks.at_ns IS 'CPU time of the sample, ns since the session began';
