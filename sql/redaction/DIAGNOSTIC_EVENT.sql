-- What nsys says of its own recording, where it says that events are lost: the message without its details. The others name
-- paths.
-- reads: export.DIAGNOSTIC_EVENT
CREATE VIEW redacted.DIAGNOSTIC_EVENT AS
SELECT 'Error when processing events' AS text
FROM export.DIAGNOSTIC_EVENT
WHERE text LIKE 'Error when processing events%';
