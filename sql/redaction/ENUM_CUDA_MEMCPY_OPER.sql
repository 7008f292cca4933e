-- These texts are Nsight Systems' own.
-- reads: export.ENUM_CUDA_MEMCPY_OPER
CREATE VIEW redacted.ENUM_CUDA_MEMCPY_OPER AS
SELECT * FROM export.ENUM_CUDA_MEMCPY_OPER;
