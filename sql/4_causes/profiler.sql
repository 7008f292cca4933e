CREATE VIEW states_profiler AS
SELECT 'profiler' AS state, 5 AS precedence, 'seen' AS basis;

CREATE VIEW fix_profiler AS
SELECT 'Nothing to fix in the program: this time is Nsight Systems''s own. Capture fewer steps, or trace less '
    || '(leave out osrt, python-gil or sampling), and diagnose again.' AS fix;

COMMENT ON VIEW states_profiler IS 'Nsight Systems itself held the launching thread up: buffer flushes and the like';
COMMENT ON COLUMN states_profiler.state IS 'as in slices';
COMMENT ON COLUMN states_profiler.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_profiler.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_profiler IS 'Capture fewer steps or trace less; the program itself does not pay this.';
COMMENT ON COLUMN fix_profiler.fix IS 'what to change, for what was seen';
