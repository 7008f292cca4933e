-- Lets one process be replayed, and the whole window where it has no more than so many ops there: run with $pid and $most_ops.
UPDATE layers.replay_window SET pid = $pid;

UPDATE layers.replay_window
SET start_ns = w.start_ns, end_ns = w.end_ns, steps = w.steps, whole = true
FROM layers."window" AS w
WHERE (SELECT count(*) FROM layers.window_ops WHERE pid = $pid) <= $most_ops;
