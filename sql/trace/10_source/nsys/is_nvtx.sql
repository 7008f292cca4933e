-- Macro `is_nvtx`: whether an event is of a kind of NVTX events: by the id that nsys has always used, or as the export lists it.
-- reads: export.ENUM_NSYS_EVENT_TYPE
CREATE MACRO is_nvtx(event_type, kind) AS
event_type = CASE kind WHEN 'NvtxPushPopRange' THEN 59 WHEN 'NvtxStartEndRange' THEN 60 WHEN 'NvtxDomainCreate' THEN 75 END
OR event_type IN (SELECT id FROM export.ENUM_NSYS_EVENT_TYPE WHERE name = kind);
