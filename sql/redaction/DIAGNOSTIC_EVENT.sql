-- What nsys says of its own recording, where it says that events are lost: the message without its details. Of the others, which
-- name paths, only that there are any.
-- reads: export.DIAGNOSTIC_EVENT
CREATE VIEW redacted.DIAGNOSTIC_EVENT AS
SELECT CASE WHEN text LIKE 'Error when processing events%' THEN 'Error when processing events' END AS text
FROM export.DIAGNOSTIC_EVENT;
