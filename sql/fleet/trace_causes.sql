-- The causes of each trace, with their lost time and evidence: the diagnoses of all traces.
-- reads: kept.rows
CREATE VIEW trace_causes AS
WITH found AS (
    SELECT trace_id, job, "rank", trace, step_ns, unnest(causes, recursive := true) FROM kept.rows
)

SELECT
    trace_id,
    job,
    "rank",
    trace,
    place,
    cause,
    is_finding,
    lost_ns,
    share,
    share * step_ns AS lost_per_step_ns,
    step_ns,
    predicted_step_ns,
    segments,
    source_line,
    nvtx,
    evidence,
    fix
FROM found
ORDER BY job, "rank", trace_id, place;

COMMENT ON VIEW trace_causes IS 'the causes of each trace, most to win first';
COMMENT ON COLUMN trace_causes.rank IS 'as in traces';
COMMENT ON COLUMN trace_causes.place IS 'place among the causes of its trace, from 1';
COMMENT ON COLUMN trace_causes.is_finding IS 'true for a finding';
COMMENT ON COLUMN trace_causes.lost_ns IS 'time lost because of it, summed over the GPUs of the trace, ns';
COMMENT ON COLUMN trace_causes.share IS 'of the window, over the GPUs of the trace, 0 to 1';
COMMENT ON COLUMN trace_causes.lost_per_step_ns IS 'that share of a step, ns';
COMMENT ON COLUMN trace_causes.step_ns IS 'mean time of a step, ns';
COMMENT ON COLUMN trace_causes.predicted_step_ns IS 'the step without the cause, by replay, ns; NULL where no replay was made';
COMMENT ON COLUMN trace_causes.segments IS 'number of segments of lost time';
COMMENT ON COLUMN trace_causes.source_line IS 'first line of code in its evidence; NULL without Python samples there';
COMMENT ON COLUMN trace_causes.nvtx IS 'first NVTX path in its evidence; NULL outside of all ranges';
COMMENT ON COLUMN trace_causes.evidence IS 'all of its evidence, in sentences';
COMMENT ON COLUMN trace_causes.fix IS 'what to change';
