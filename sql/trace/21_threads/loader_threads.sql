-- One row for each thread that PyTorch's DataLoader has named.
-- reads: threads
CREATE TABLE loader_threads AS
SELECT pid, global_tid, name
FROM threads
WHERE regexp_matches(name, '^pt_data_|dataloader', 'i');

COMMENT ON TABLE loader_threads IS 'threads of PyTorch''s DataLoader, recognised by their names';
COMMENT ON COLUMN loader_threads.name IS 'pt_data_pin, pt_data_worker, …';
