-- Python samples as tiles of their thread, for the time in which each is the nearest: from halfway to the sample before it to
-- halfway to the one after it, and no further than the usual distance between two. From one sample to the next would tell the
-- end of each line's time for the line before it.
-- reads: sample_spans
CREATE VIEW sample_tiles AS
SELECT
    sample_id AS id,
    global_tid AS track,
    greatest(start_ns - usual_ns, start_ns - (start_ns - lag(start_ns) OVER thread) // 2) AS start_ns,
    least(start_ns + usual_ns, start_ns + (lead(start_ns) OVER thread - start_ns + 1) // 2) AS end_ns
FROM sample_spans
WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns);

COMMENT ON VIEW sample_tiles IS 'Python samples as tiles of their thread, for the time in which each is the nearest';
COMMENT ON COLUMN sample_tiles.id IS 'sample_id of python_samples';
COMMENT ON COLUMN sample_tiles.track IS 'the thread, global_tid';
