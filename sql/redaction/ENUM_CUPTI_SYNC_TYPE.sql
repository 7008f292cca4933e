-- These texts are Nsight Systems' own.
-- reads: export.ENUM_CUPTI_SYNC_TYPE
CREATE VIEW redacted.ENUM_CUPTI_SYNC_TYPE AS
SELECT * FROM export.ENUM_CUPTI_SYNC_TYPE;
