-- The GPUs that the program's own processes see.
-- reads: redacted.own_processes, export.TARGET_INFO_CUDA_DEVICE
CREATE VIEW redacted.TARGET_INFO_CUDA_DEVICE AS
SELECT * FROM export.TARGET_INFO_CUDA_DEVICE WHERE pid IN (FROM redacted.own_processes) ORDER BY rowid;
