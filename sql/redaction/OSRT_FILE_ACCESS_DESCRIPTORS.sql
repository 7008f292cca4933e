-- The files that were accessed, each with the last part of its path.
-- reads: texts.shown, export.OSRT_FILE_ACCESS_DESCRIPTORS
CREATE VIEW redacted.OSRT_FILE_ACCESS_DESCRIPTORS AS
SELECT d.* REPLACE (t.shown AS filePath)
FROM export.OSRT_FILE_ACCESS_DESCRIPTORS AS d
LEFT JOIN texts.shown AS t ON t.text = d.filePath AND t.use <> 'process'
ORDER BY d.rowid;
