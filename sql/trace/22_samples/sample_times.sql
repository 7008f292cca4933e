-- Python samples and CPU samples on the track of their thread. The ids of CPU samples are negative here. A launching thread that
-- runs no Python, as PyTorch's for the backward pass, has the Python samples of the thread that waits for it, too: those in its
-- waits, where OS calls were recorded.
-- reads: cpu_samples, launching_threads, os_calls, python_samples
CREATE TABLE sample_times AS
SELECT sample_id AS id, global_tid AS track, at_ns
FROM python_samples
UNION ALL
SELECT p.sample_id, l.global_tid, p.at_ns
FROM launching_threads AS l
INNER JOIN python_samples AS p ON p.global_tid = l.awaited_global_tid
ASOF LEFT JOIN (
    SELECT global_tid, start_ns, end_ns FROM os_calls WHERE kind IN ('wait', 'lock')
) AS o ON o.global_tid = p.global_tid AND p.at_ns >= o.start_ns
WHERE
    l.global_tid NOT IN (SELECT global_tid FROM python_samples)
    AND (p.at_ns < o.end_ns OR NOT EXISTS (FROM os_calls))
UNION ALL
SELECT -1 - sample_id, global_tid, at_ns
FROM cpu_samples;

COMMENT ON TABLE sample_times IS 'samples as times on their thread';
COMMENT ON COLUMN sample_times.id IS 'sample_id of python_samples, perhaps on several tracks; of cpu_samples as -1 - sample_id';
COMMENT ON COLUMN sample_times.track IS 'the thread, global_tid';
COMMENT ON COLUMN sample_times.at_ns IS 'time, ns since the session began';
