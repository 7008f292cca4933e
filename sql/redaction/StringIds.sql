-- The strings that some shared row refers to, as they may be shown. Files of frames that have no name have a placeholder, as if
-- their code were in no file.
-- reads: python_frames, redacted.string_uses, texts.shown, export.StringIds
CREATE VIEW redacted.StringIds AS
SELECT s.id, CASE WHEN s.id IN (SELECT string_id FROM redacted.string_uses) THEN t.shown ELSE '<~>' END AS value
FROM export.StringIds AS s
LEFT JOIN texts.shown AS t ON t.text = coalesce(s.value, '?') AND t.use <> 'process'
WHERE s.id IN (SELECT string_id FROM redacted.string_uses) OR s.id IN (SELECT file_id FROM python_frames)
ORDER BY s.rowid;
