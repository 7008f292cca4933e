-- These texts are Nsight Systems' own.
-- reads: export.ENUM_CUPTI_OVERHEAD_TYPE
CREATE VIEW redacted.ENUM_CUPTI_OVERHEAD_TYPE AS
SELECT * FROM export.ENUM_CUPTI_OVERHEAD_TYPE;
