-- One row for each call of a launching thread that waits for the GPU and is no copy: synchronize calls, polls, calls that free
-- memory, and launches that wait for their kernel. A wait for a copy that another thread makes is two rows: until that thread
-- makes it, a wait for what was launched before; then a wait for the copy.
-- reads: blocking_calls, call_families, called_back_waits, calls, fetched_pages, launching_threads, read_back_bytes
-- reads: sent_downloads
CREATE VIEW replay_waits AS
SELECT
    b.pid,
    b.global_tid,
    greatest(b.start_ns, p.end_ns) AS start_ns,
    b.end_ns,
    CASE
        WHEN x.activity_id IS NOT NULL THEN 'sent'
        -- before its next launch the CPU touches managed memory, and finds it on the GPU
        WHEN f.family = 'sync' AND m.start_ns < coalesce(l.start_ns, m.end_ns) THEN 'data'
        ELSE b.waits_for
    END AS waits_for,
    regexp_matches(f.name, '^cu(da)?((Device|Ctx|Thread)Synchronize|Free|MemFree)') AS for_all
FROM blocking_calls AS b
INNER JOIN call_families AS f ON f.string_id = b.name_id
LEFT JOIN (SELECT global_tid, start_ns, max(end_ns) AS end_ns FROM calls WHERE family = 'copy' GROUP BY global_tid, start_ns) AS p
    ON p.global_tid = b.global_tid AND p.start_ns = b.start_ns
LEFT JOIN sent_downloads AS x ON x.global_tid = b.global_tid AND x.launch_start_ns = b.start_ns
ASOF LEFT JOIN fetched_pages AS m ON m.track = b.pid AND b.end_ns <= m.start_ns
ASOF LEFT JOIN (SELECT global_tid, start_ns FROM calls WHERE family = 'launch' AND EXISTS (FROM fetched_pages)) AS l
    ON l.global_tid = b.global_tid AND b.end_ns <= l.start_ns
WHERE
    b.global_tid IN (SELECT global_tid FROM launching_threads)
    AND (
        f.family IN ('sync', 'query', 'launch')
        OR regexp_matches(f.name, '^cu(da)?(Free|FreeHost|FreeArray|MemFree|MemFreeHost)$')
    )
UNION ALL
SELECT
    pid,
    global_tid,
    unnest([start_ns, greatest(start_ns, launch_end_ns)]),
    unnest([greatest(start_ns, launch_start_ns), end_ns]),
    CASE WHEN bytes <= read_back_bytes() THEN 'download' ELSE 'data' END,
    false
FROM called_back_waits;

COMMENT ON VIEW replay_waits IS 'calls of the launching threads that wait for the GPU, other than copies';
COMMENT ON COLUMN replay_waits.global_tid IS 'the thread that waits, in threads';
COMMENT ON COLUMN replay_waits.start_ns IS 'CPU start, ns since the session began; for a copy call with its synchronize call, the end of the copy call';
COMMENT ON COLUMN replay_waits.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN replay_waits.waits_for IS 'as in blocking_calls, or sent: a copy to the host that is sent to other processes, so that the wait for it must be; or data, with which the CPU goes on: a larger copy of another thread, or what a kernel wrote to managed memory';
COMMENT ON COLUMN replay_waits.for_all IS 'true where it waits for everything that was launched before, on every stream';
