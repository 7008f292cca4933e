-- One row for each CPU sample: where the thread ran. That is the innermost frame which is neither in the C library or the loader,
-- which all others call, nor in what Nsight Systems puts around malloc. A function of another library is
-- given only if it copies memory or serves a page fault.
-- reads: cpu_frames, export.COMPOSITE_EVENTS
CREATE TABLE cpu_samples AS
WITH places AS (
    SELECT
        sample_id,
        arg_min(library, depth) AS innermost_library,
        arg_min(function, depth) FILTER (
            WHERE regexp_matches(function, 'mem(cpy|move|set)|copy_(to|from)_user|page_fault|handle_mm_fault|clear_page')
        ) AS memory_function,
        arg_min(library, depth) FILTER (
            WHERE NOT regexp_matches(
                library, '^(lib[cm][.-]|lib(pthread|stdc\+\+|gcc|jemalloc|tcmalloc|ToolsInjectionMemory)|ld-linux|\[vdso\])'
            )
        ) AS calling_library,
        coalesce(calling_library, innermost_library) AS library
    FROM cpu_frames
    GROUP BY sample_id
),

functions AS (
    SELECT f.sample_id, arg_min(f.function, f.depth) AS function
    FROM cpu_frames AS f
    INNER JOIN places AS p ON p.sample_id = f.sample_id AND p.library = f.library
    WHERE f.function IS NOT NULL AND NOT regexp_matches(f.function, '^(_init|\?)$')
    GROUP BY f.sample_id
)

SELECT
    CAST(e.id AS INTEGER) AS sample_id,
    e."start" AS at_ns,
    e.globalTid AS global_tid,
    p.library,
    coalesce(p.memory_function, f.function) AS function
FROM export.COMPOSITE_EVENTS AS e
INNER JOIN places AS p ON p.sample_id = e.id
LEFT JOIN functions AS f ON f.sample_id = e.id
WHERE e."start" IS NOT NULL AND e.globalTid IS NOT NULL;

COMMENT ON TABLE cpu_samples IS 'where threads ran, by CPU samples; empty without --sample';
COMMENT ON COLUMN cpu_samples.sample_id IS 'unique number';
COMMENT ON COLUMN cpu_samples.at_ns IS 'CPU time of the sample, ns since the session began';
COMMENT ON COLUMN cpu_samples.library IS 'file name of the library or program that the thread ran in';
COMMENT ON COLUMN cpu_samples.function IS 'function of it, or the one that copies memory or serves a page fault; NULL where there is no symbol';
