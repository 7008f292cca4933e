-- The strings that some shared row refers to, as they may be shown.
-- reads: redacted.string_uses, texts.shown, export.StringIds
CREATE VIEW redacted.StringIds AS
SELECT s.id, t.shown AS value
FROM export.StringIds AS s
INNER JOIN texts.shown AS t ON t.text = coalesce(s.value, '?') AND t.use <> 'process'
WHERE s.id IN (SELECT string_id FROM redacted.string_uses)
ORDER BY s.rowid;
