-- Names of NVTX ranges that mean something to a person. Filled from gapfinder's own list and the user's config.
CREATE TABLE name_patterns (cause VARCHAR, pattern VARCHAR);

COMMENT ON TABLE name_patterns IS 'regular expressions for names of NVTX ranges that speak for a cause';
COMMENT ON COLUMN name_patterns.cause IS 'id of the cause';
COMMENT ON COLUMN name_patterns.pattern IS 'regular expression, case does not matter';
