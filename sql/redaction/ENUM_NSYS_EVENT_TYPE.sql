-- These texts are Nsight Systems' own.
-- reads: export.ENUM_NSYS_EVENT_TYPE
CREATE VIEW redacted.ENUM_NSYS_EVENT_TYPE AS
SELECT * FROM export.ENUM_NSYS_EVENT_TYPE;
