-- Who faulted on pages of managed memory in the window: the two kernels and the two CPU functions with the most page faults. Of
-- kernels that run at once, the one that started last counts.
-- reads: recorded_faults, strings, window_activities, window_regimes
CREATE TABLE evidence_faults AS
WITH faults AS (
    SELECT f.*
    FROM recorded_faults AS f
    INNER JOIN window_regimes AS w ON f.start_ns >= w.start_ns AND f.start_ns < w.end_ns
),

ran AS (
    SELECT gpu, pid, start_ns, max(end_ns) AS end_ns, first(name_id ORDER BY end_ns DESC, name_id) AS name_id
    FROM window_activities
    WHERE kind = 'compute' AND EXISTS (FROM faults)
    GROUP BY gpu, pid, start_ns
),

counted AS (
    SELECT
        true AS on_gpu,
        CASE WHEN f.start_ns < k.end_ns THEN k.name_id END AS name_id,
        CAST(NULL AS INTEGER) AS library_id,
        f.access,
        f.faults
    FROM (SELECT * FROM faults WHERE gpu IS NOT NULL) AS f
    ASOF LEFT JOIN ran AS k ON k.gpu = f.gpu AND k.pid = f.pid AND f.start_ns >= k.start_ns
    UNION ALL
    SELECT false, function_id, library_id, access, faults
    FROM faults
    WHERE gpu IS NULL
)

SELECT
    t.on_gpu,
    n.text AS name,
    regexp_extract(l.text, '[^/\\]*$') AS library,
    t.access,
    CAST(sum(t.faults) AS BIGINT) AS faults
FROM counted AS t
LEFT JOIN strings AS n ON n.string_id = t.name_id
LEFT JOIN strings AS l ON l.string_id = t.library_id
GROUP BY t.on_gpu, n.text, l.text, t.access
HAVING sum(t.faults) > 0
QUALIFY row_number() OVER (PARTITION BY t.on_gpu ORDER BY sum(t.faults) DESC, n.text, l.text, t.access) <= 2
ORDER BY t.on_gpu DESC, faults DESC, name, library, access;

COMMENT ON TABLE evidence_faults IS 'who faulted on pages of managed memory in the window: the two kernels and the two CPU functions that did most';
COMMENT ON COLUMN evidence_faults.on_gpu IS 'true for a kernel, false for a function of the CPU';
COMMENT ON COLUMN evidence_faults.name IS 'name of the kernel or the function; NULL where the trace does not tell';
COMMENT ON COLUMN evidence_faults.library IS 'file name of the library or program of the function';
COMMENT ON COLUMN evidence_faults.faults IS 'number of page faults in the window';
