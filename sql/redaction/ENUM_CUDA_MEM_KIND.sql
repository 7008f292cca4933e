-- These texts are Nsight Systems' own.
-- reads: export.ENUM_CUDA_MEM_KIND
CREATE VIEW redacted.ENUM_CUDA_MEM_KIND AS
SELECT * FROM export.ENUM_CUDA_MEM_KIND;
