-- Small copies from the GPU that block the CPU, as of .item(), or for which a thread waits: they are made to be waited for.
-- reads: activities, blocking_calls, called_back_waits, copies, read_back_bytes
CREATE TABLE read_backs AS
SELECT DISTINCT c.activity_id
FROM copies AS c
INNER JOIN activities AS a ON a.activity_id = c.activity_id
INNER JOIN blocking_calls AS b ON b.global_tid = a.global_tid AND b.start_ns = a.launch_start_ns
WHERE c.direction = 'Device-to-Host' AND c.bytes <= read_back_bytes()
UNION
SELECT activity_id
FROM called_back_waits
WHERE bytes <= read_back_bytes();

COMMENT ON TABLE read_backs IS 'small copies from the GPU that block the CPU, as of .item(), or for which a thread waits';
