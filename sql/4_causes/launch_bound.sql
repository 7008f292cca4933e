-- Launches and the code between two of them; and the hand-over from one submitting thread to the other, in which
-- for less than 1 ms each is seen waiting (waking a thread takes 50 to 100 us).
CREATE VIEW states_launch_bound AS
SELECT 'submit' AS state, 60 AS precedence, 'seen' AS basis;

CREATE VIEW claims_launch_bound AS
SELECT slice_id, 60 AS precedence, 'seen' AS basis
FROM slices
WHERE state = 'wait' AND end_ns - start_ns < 1000000;

CREATE VIEW fix_launch_bound AS
-- ops of a length are counted together: a median of a million takes twice as long
WITH lengths AS (
    SELECT end_ns - start_ns AS length_ns, count(*) AS ops FROM window_ops GROUP BY length_ns
),

ranked AS (
    SELECT length_ns, ops, sum(ops) OVER (ORDER BY length_ns) AS up_to, sum(ops) OVER () AS all_ops FROM lengths
),

facts AS (
    SELECT
        any_value(r.all_ops) / any_value(w.steps) AS ops_per_step,
        min(CASE WHEN 2 * r.up_to >= r.all_ops THEN r.length_ns END) / 1000 AS median_us
    FROM ranked AS r, "window" AS w
)

SELECT format(
    'Each step submits {:.0f} ops (median {:.1f} us) one by one, slower than the GPU runs them. Submit them together: a CUDA graph '
    || '(torch.cuda.CUDAGraph, torch.compile(mode="reduce-overhead")), fused or foreach optimizers (AdamW(fused=True)), torch.compile, or larger batches.',
    ops_per_step, median_us
) AS fix
FROM facts;

COMMENT ON VIEW states_launch_bound IS 'the CPU launched many small ops, slower than the GPU ran them';
COMMENT ON COLUMN states_launch_bound.state IS 'as in slices';
COMMENT ON COLUMN states_launch_bound.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_launch_bound.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW claims_launch_bound IS 'slices that it claims for what is around them';
COMMENT ON COLUMN claims_launch_bound.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_launch_bound.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_launch_bound.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_launch_bound IS 'CUDA graphs, torch.compile, fused optimizers, larger batches: fewer launches, each with more work.';
COMMENT ON COLUMN fix_launch_bound.fix IS 'what to change, for what was seen';
