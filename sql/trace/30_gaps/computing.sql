-- The time in which a GPU computes, of the GPUs that also transfer.
-- reads: compute_beside, cover
CREATE TABLE computing AS
SELECT id, track, start_ns, end_ns
FROM cover('compute_beside');

COMMENT ON TABLE computing IS 'disjoint intervals in which a GPU computes, of GPUs that also communicate or copy';
COMMENT ON COLUMN computing.id IS 'unique number';
COMMENT ON COLUMN computing.track IS 'physical GPU';
COMMENT ON COLUMN computing.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN computing.end_ns IS 'end, ns';
