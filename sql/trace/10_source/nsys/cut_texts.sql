-- One row for each table of the export that holds texts of 65,536 characters and more, of which the rest is not read: a name of
-- 100 MB takes as much memory each time that it is shown.
-- reads: text_chars, export.NVTX_EVENTS, export.OSRT_FILE_ACCESS_DESCRIPTORS, export.PROCESSES, export.StringIds
CREATE TABLE cut_texts AS
SELECT table_name, count(*) AS "rows"
FROM (
    SELECT 'StringIds' AS table_name, value AS text FROM export.StringIds
    UNION ALL
    SELECT 'NVTX_EVENTS', coalesce(jsonText, text) FROM export.NVTX_EVENTS
    UNION ALL
    SELECT 'PROCESSES', name FROM export.PROCESSES
    UNION ALL
    SELECT 'OSRT_FILE_ACCESS_DESCRIPTORS', filePath FROM export.OSRT_FILE_ACCESS_DESCRIPTORS
)
WHERE length(text) >= text_chars()
GROUP BY table_name;

COMMENT ON TABLE cut_texts IS 'tables of the export with texts that are cut; empty for most traces';
COMMENT ON COLUMN cut_texts."rows" IS 'number of texts that are cut';
