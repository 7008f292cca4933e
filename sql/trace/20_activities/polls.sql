-- One row for each time in which a thread asks again and again whether the GPU is done, and so waits for it: three calls or more
-- in vain that follow each other, and the one that ends the wait. One call in vain is no wait: a memory pool asks once whether it
-- may use a block again.
-- reads: calls
CREATE TABLE polls AS
WITH asking AS (
    SELECT
        *,
        -- 20 us: calls in a loop of C++ are 0.1 to 0.4 us apart on an H100 host, in one of Python a few us
        coalesce(
            lag(in_vain) OVER thread AND name_id = lag(name_id) OVER thread AND start_ns - lag(end_ns) OVER thread < 20000, false
        ) AS goes_on
    FROM calls
    WHERE global_tid IN (SELECT global_tid FROM calls WHERE in_vain)
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns, correlation_id)
),

numbered AS (
    SELECT *, sum(CASE WHEN goes_on THEN 0 ELSE 1 END) OVER (PARTITION BY global_tid ORDER BY start_ns, correlation_id) AS poll
    FROM asking
)

SELECT
    any_value(pid) AS pid,
    global_tid,
    min(start_ns) AS start_ns,
    max(end_ns) AS end_ns,
    any_value(name_id) AS name_id
FROM numbered
GROUP BY global_tid, poll
HAVING count_if(in_vain) >= 3;

COMMENT ON TABLE polls IS 'times in which a thread asks again and again whether the GPU is done';
COMMENT ON COLUMN polls.start_ns IS 'start of its first call, ns since the session began';
COMMENT ON COLUMN polls.end_ns IS 'end of its last call, ns';
COMMENT ON COLUMN polls.name_id IS 'name of the calls, in strings';
