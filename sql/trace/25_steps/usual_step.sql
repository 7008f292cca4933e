-- What a step of the loop is like as a rule: one row.
-- reads: step_contents
CREATE TABLE usual_step AS
SELECT
    median(activities - extra_activities) AS activities,
    quantile_cont(activities, 0.75) - quantile_cont(activities, 0.25) AS spread,
    median(end_ns - start_ns) AS length_ns,
    -- a third: the forward pass of a training step; a prompt before 16 tokens is a quarter of the step of one token
    median(activities - extra_activities) / 3 AS forward_kernels,
    -- what three quarters of the steps run is no more than a step does as a rule, as what is outside of an inner range
    quantile_disc(extra_activities, 0.25) AS extra_activities,
    quantile_disc(extra_kernels, 0.25) AS extra_kernels
FROM step_contents
WHERE step IS NOT NULL;

COMMENT ON TABLE usual_step IS 'what a step of the loop is like as a rule; one row';
COMMENT ON COLUMN usual_step.activities IS 'number of its own activities (median)';
COMMENT ON COLUMN usual_step.spread IS 'by how many the numbers of activities differ between the steps in the middle half';
COMMENT ON COLUMN usual_step.length_ns IS 'median length, ns';
COMMENT ON COLUMN usual_step.forward_kernels IS 'number of kernels of a forward pass, at least';
COMMENT ON COLUMN usual_step.extra_activities IS 'number that three quarters of the steps run besides';
COMMENT ON COLUMN usual_step.extra_kernels IS 'of these: kernels and graphs';
