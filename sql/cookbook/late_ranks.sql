-- Which GPU came last to the collectives, and how long did the others wait for it?
-- Needs all ranks in one report. A GPU that is always the last is the straggler: its own ledger says why.
SELECT
    c.last_gpu,
    c.gpu AS waiting_gpu,
    c.name,
    count(*) AS collectives,
    round(sum(c.waiting_ns) / 1e6, 3) AS waited_ms,
    round(max(c.waiting_ns) / 1e6, 3) AS longest_ms,
    round(100 * sum(c.waiting_ns) / any_value(w.length_ns), 1) AS percent_of_window
FROM collectives AS c
CROSS JOIN "window" AS w
WHERE c.peers > 0 AND c.last_gpu <> c.gpu AND c.waiting_ns > 0
GROUP BY c.last_gpu, c.gpu, c.name
ORDER BY waited_ms DESC, c.last_gpu, c.name;
