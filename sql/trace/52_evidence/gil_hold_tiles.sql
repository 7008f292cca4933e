-- Times for which a thread holds the GIL, in processes that wait for batches. One thread of a process holds it at a time.
-- reads: batch_wait_times, gil_holds
CREATE TABLE gil_hold_tiles AS
SELECT row_number() OVER (ORDER BY pid, start_ns) AS id, pid AS track, start_ns, end_ns
FROM gil_holds
WHERE pid IN (SELECT track FROM batch_wait_times);

COMMENT ON TABLE gil_hold_tiles IS 'times for which a thread holds the GIL, on the track of its process';
