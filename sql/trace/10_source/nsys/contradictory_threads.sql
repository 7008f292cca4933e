-- One row for each kind of event whose thread or process is not listed, or does something else meanwhile.
-- reads: occupied_threads, silent_processes, unlisted_threads
CREATE TABLE contradictory_threads AS
SELECT kind, "rows", all_rows
FROM (
    FROM unlisted_threads
    UNION ALL
    FROM occupied_threads
    UNION ALL
    FROM silent_processes
)
WHERE "rows" > 0;

COMMENT ON TABLE contradictory_threads IS 'kinds of events whose thread or process is not listed, or does something else; empty for a sound trace';
COMMENT ON COLUMN contradictory_threads.kind IS 'the rows, in words';
