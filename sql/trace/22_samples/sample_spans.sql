-- Python samples as time. A thread that was not sampled for longer than a sample stands for was not seen.
-- reads: python_samples, spanned
CREATE TABLE sample_spans AS
SELECT sample_id, global_tid, at_ns AS start_ns, end_ns, usual_ns, file, line, function
FROM spanned('python_samples');

COMMENT ON TABLE sample_spans IS 'the time for which each Python sample stands';
COMMENT ON COLUMN sample_spans.start_ns IS 'time of the sample, ns since the session began';
COMMENT ON COLUMN sample_spans.end_ns IS 'until when it stands for its thread, ns';
COMMENT ON COLUMN sample_spans.usual_ns IS 'the usual distance between two samples, ns';
