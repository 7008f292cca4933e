-- Every text that is shared in some form, and its use: call, library, file, name or process. The use decides how it may be shown.
-- reads: redacted.own_processes, redacted.string_uses, strings, export.NVTX_EVENTS
-- reads: export.OSRT_FILE_ACCESS_DESCRIPTORS, export.PROCESSES
CREATE VIEW redacted.used_texts AS
SELECT
    text,
    CASE
        WHEN bool_or(use = 'call') THEN 'call'
        WHEN bool_or(use = 'library') THEN 'library'
        WHEN bool_or(use = 'file') THEN 'file'
        ELSE 'name'
    END AS use
FROM (
    SELECT s.text, u.use FROM redacted.string_uses AS u INNER JOIN strings AS s ON s.string_id = u.string_id
    UNION ALL
    SELECT text, 'name' FROM export.NVTX_EVENTS WHERE text IS NOT NULL
    UNION ALL
    SELECT filePath, 'file' FROM export.OSRT_FILE_ACCESS_DESCRIPTORS WHERE filePath IS NOT NULL
)
GROUP BY text
UNION ALL
SELECT DISTINCT name, 'process' FROM export.PROCESSES WHERE name IS NOT NULL AND pid IN (FROM redacted.own_processes);
