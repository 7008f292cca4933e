-- Calls in which the CPU waits for the GPU, other than copies: synchronize calls, and those that free memory.
CREATE VIEW replay_waits AS
SELECT
    greatest(b.start_ns, coalesce(p.end_ns, b.start_ns)) AS start_ns,
    b.end_ns,
    CAST(b.waits_for AS VARCHAR) AS waits_for,
    regexp_matches(f.name, '^cu(da)?((Device|Ctx|Thread)Synchronize|Free|MemFree)') AS for_all
FROM blocking_calls AS b
INNER JOIN replay_window AS w ON w.pid = b.pid AND b.end_ns > w.start_ns AND b.start_ns < w.end_ns
INNER JOIN call_families AS f ON f.string_id = b.name_id
LEFT JOIN (SELECT global_tid, start_ns, max(end_ns) AS end_ns FROM calls WHERE family = 'copy' GROUP BY global_tid, start_ns) AS p
    ON p.global_tid = b.global_tid AND p.start_ns = b.start_ns
WHERE b.global_tid IN (SELECT global_tid FROM submitters)
    AND (f.family = 'sync' OR regexp_matches(f.name, '^cu(da)?(Free|FreeHost|FreeArray|MemFree|MemFreeHost)$'))
ORDER BY start_ns;

COMMENT ON VIEW replay_waits IS 'calls that wait for the GPU and are replayed, in order';
COMMENT ON COLUMN replay_waits.start_ns IS 'CPU start, ns since the session began; after the copy call, where they are a pair';
COMMENT ON COLUMN replay_waits.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN replay_waits.waits_for IS 'as in blocking_calls';
COMMENT ON COLUMN replay_waits.for_all IS 'true where it waits for all that was launched before, on every stream';
