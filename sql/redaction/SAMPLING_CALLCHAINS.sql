-- The frames of CPU samples that are read: the one where the thread ran, and those that speak for a cause or for who asked for
-- it. Of functions, only the one in which it ran, and those that speak: the other frames are as if their library had no symbols.
-- reads: cpu_frame_matches, cpu_frames, cpu_samples, redacted.COMPOSITE_EVENTS, export.SAMPLING_CALLCHAINS
CREATE VIEW redacted.SAMPLING_CALLCHAINS AS
WITH frames AS (
    SELECT
        f.sample_id,
        f.depth,
        f.library = s.library
        AND row_number() OVER (PARTITION BY f.sample_id, f.library ORDER BY f.depth) = 1 AS ran,
        coalesce(NOT l.by_library, false)
        OR (
            coalesce(f.function = s.function, false)
            AND row_number() OVER (PARTITION BY f.sample_id, f.function ORDER BY f.depth) = 1
        ) AS shows_function,
        l.library IS NOT NULL OR regexp_matches(f.library, '^libcudnn') AS speaks
    FROM cpu_frames AS f
    INNER JOIN cpu_samples AS s ON s.sample_id = f.sample_id
    LEFT JOIN cpu_frame_matches AS l ON l.library = f.library AND l.function IS NOT DISTINCT FROM f.function
    WHERE f.sample_id IN (SELECT id FROM redacted.COMPOSITE_EVENTS)
)

SELECT
    c.* REPLACE (
        CASE WHEN f.shows_function THEN c.symbol ELSE c.module END AS symbol,
        CASE WHEN f.shows_function THEN c.unresolved ELSE 1 END AS unresolved
    )
FROM export.SAMPLING_CALLCHAINS AS c
INNER JOIN frames AS f ON f.sample_id = c.id AND f.depth = c.stackDepth
WHERE f.ran OR f.shows_function OR f.speaks
ORDER BY c.rowid;
