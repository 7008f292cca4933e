-- The time in which a process writes files.
-- reads: cover, file_writes
CREATE TABLE file_write_tiles AS
FROM cover('file_writes');

COMMENT ON TABLE file_write_tiles IS 'when a process writes files or flushes them, merged by process';
