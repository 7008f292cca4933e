-- The causes of each trace, with their lost time and evidence: the diagnoses of all traces.
-- reads: kept.rows
CREATE VIEW findings AS
WITH found AS (
    SELECT trace_id, job, "rank", trace, step_ns, unnest(findings, recursive := true) FROM kept.rows
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

COMMENT ON VIEW findings IS 'the causes of each trace, most to win first';
COMMENT ON COLUMN findings.rank IS 'as in traces';
COMMENT ON COLUMN findings.place IS 'place among the causes of its trace, from 1';
COMMENT ON COLUMN findings.is_finding IS 'true for a finding';
COMMENT ON COLUMN findings.lost_ns IS 'time lost because of it, summed over the GPUs of the trace, ns';
COMMENT ON COLUMN findings.share IS 'of the window, over the GPUs of the trace, 0 to 1';
COMMENT ON COLUMN findings.lost_per_step_ns IS 'that share of a step, ns';
COMMENT ON COLUMN findings.step_ns IS 'mean time of a step, ns';
COMMENT ON COLUMN findings.predicted_step_ns IS 'the step without the cause, by replay, ns; NULL where no replay was made';
COMMENT ON COLUMN findings.segments IS 'number of segments of lost time';
COMMENT ON COLUMN findings.source_line IS 'first line of code in its evidence; NULL without Python samples there';
COMMENT ON COLUMN findings.nvtx IS 'first NVTX path in its evidence; NULL outside of all ranges';
COMMENT ON COLUMN findings.evidence IS 'all of its evidence, in sentences';
COMMENT ON COLUMN findings.fix IS 'what to change';
