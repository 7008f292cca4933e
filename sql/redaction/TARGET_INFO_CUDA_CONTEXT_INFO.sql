-- The CUDA contexts of the program's own processes.
-- reads: redacted.own_processes, export.TARGET_INFO_CUDA_CONTEXT_INFO
CREATE VIEW redacted.TARGET_INFO_CUDA_CONTEXT_INFO AS
SELECT * FROM export.TARGET_INFO_CUDA_CONTEXT_INFO WHERE processId IN (FROM redacted.own_processes) ORDER BY rowid;
