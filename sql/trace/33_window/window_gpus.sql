-- One row for each GPU that the diagnosis speaks of: those that work in the window; where none does, those that work in the
-- analysed time.
-- reads: activity_totals, gpu_busy
CREATE TABLE window_gpus AS
SELECT gpu
FROM gpu_busy
WHERE gpu IN (SELECT gpu FROM activity_totals) OR NOT EXISTS (FROM activity_totals);

COMMENT ON TABLE window_gpus IS 'the GPUs that work in the window';
