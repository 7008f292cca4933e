-- Where the threads ran while the time of each cause was lost: the two libraries with the most CPU samples. Fewer than ten
-- samples tell little.
-- reads: cpu_frame_matches, cpu_samples, samples_in_segments
CREATE TABLE evidence_libraries AS
WITH compilers AS (
    SELECT library, function, by_library FROM cpu_frame_matches WHERE cause = 'module_loading'
),

ran AS (
    SELECT
        c.cause,
        p.library,
        p.function,
        CASE
            WHEN regexp_matches(p.function, 'page_fault|mm_fault|clear_page') THEN 'page faults'
            WHEN regexp_matches(p.function, 'mem(cpy|move|set)|copy_(to|from)_user') THEN 'copying memory'
            WHEN
                p.library IN (SELECT library FROM compilers WHERE by_library)
                OR p.function IN (SELECT function FROM compilers WHERE NOT by_library)
                THEN 'compiling'
            WHEN regexp_matches(p.library, '^libcudnn_(heuristic|graph)') THEN 'heuristics of cuDNN'
            WHEN regexp_matches(p.library, '^(libpython|python)[0-9.]*') THEN 'the interpreter'
            WHEN regexp_matches(p.library, '^(libToolsInjection|libcupti)') THEN 'Nsight Systems itself'
            WHEN regexp_matches(p.library, '^libcuda(rt)?\.') THEN 'the CUDA driver'
        END AS doing
    FROM samples_in_segments AS c
    INNER JOIN cpu_samples AS p ON c.kind = 'cpu' AND p.sample_id = c.sample_id
)

SELECT
    cause,
    library,
    doing,
    mode(function ORDER BY function) AS function,
    count(*) AS samples,
    CAST(sum(count(*)) OVER (PARTITION BY cause) AS BIGINT) AS all_samples
FROM ran
GROUP BY cause, library, doing
QUALIFY all_samples >= 10 AND row_number() OVER (PARTITION BY cause ORDER BY count(*) DESC, library, doing) <= 2
ORDER BY cause, samples DESC, library, doing;

COMMENT ON TABLE evidence_libraries IS 'where threads ran while the time of each cause was lost, the two libraries with the most CPU samples';
COMMENT ON COLUMN evidence_libraries.library IS 'as in cpu_samples';
COMMENT ON COLUMN evidence_libraries.doing IS 'what it does there, in a few words; NULL where the library does not tell';
COMMENT ON COLUMN evidence_libraries.function IS 'the function with the most samples; NULL without symbols';
COMMENT ON COLUMN evidence_libraries.samples IS 'number of CPU samples in it';
COMMENT ON COLUMN evidence_libraries.all_samples IS 'number of CPU samples in the time of the cause';
