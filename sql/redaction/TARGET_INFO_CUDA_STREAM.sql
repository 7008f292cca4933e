-- The CUDA streams of the program's own processes.
-- reads: redacted.own_processes, export.TARGET_INFO_CUDA_STREAM
CREATE VIEW redacted.TARGET_INFO_CUDA_STREAM AS
SELECT * FROM export.TARGET_INFO_CUDA_STREAM WHERE processId IN (FROM redacted.own_processes) ORDER BY rowid;
