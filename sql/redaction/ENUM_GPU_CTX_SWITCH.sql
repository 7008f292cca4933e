-- These texts are Nsight Systems' own.
-- reads: export.ENUM_GPU_CTX_SWITCH
CREATE VIEW redacted.ENUM_GPU_CTX_SWITCH AS
SELECT * FROM export.ENUM_GPU_CTX_SWITCH;
