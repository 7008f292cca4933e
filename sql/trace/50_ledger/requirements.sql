-- One row for each thing that the file of a cause may say that it needs of a trace.
-- reads: graph_launches, lone_rank, recorded_tables
CREATE TABLE requirements AS
WITH recorded AS (
    SELECT
        coalesce(bool_or(table_name = 'OSRT_API'), false) AS os_calls,
        coalesce(bool_or(table_name = 'NVTX_EVENTS'), false) AS ranges,
        coalesce(bool_or(table_name = 'SCHED_EVENTS'), false) AS core_switches,
        coalesce(bool_or(table_name = 'GPU_CONTEXT_SWITCH_EVENTS'), false) AS gpu_switches
    FROM recorded_tables
)

SELECT need, is_met, reason
FROM recorded AS r, LATERAL (
    VALUES
    ('os_calls', r.os_calls, 'the trace holds no OS calls; `gapfinder capture` records them'),
    (
        'os_calls_or_ranges',
        r.os_calls OR r.ranges,
        'the trace holds neither OS calls nor NVTX ranges; `gapfinder capture` records both'
    ),
    ('core_switches', r.core_switches, 'the trace holds no context switches; `gapfinder capture` records them'),
    (
        'gpu_switches',
        r.gpu_switches,
        'the trace holds no GPU context switches (`gapfinder capture --gpu-switches` records them)'
    ),
    -- gaps inside a graph that was traced as a whole are not in the trace
    (
        'graph_nodes',
        NOT EXISTS (FROM graph_launches),
        'CUDA graphs were traced as a whole (capture with --cuda-graph-trace=node)'
    ),
    ('all_ranks', NOT (FROM lone_rank), 'the trace holds one rank (capture all ranks in one report)')
) AS every (need, is_met, reason);

COMMENT ON TABLE requirements IS 'what a cause may need of a trace, and whether the trace has it';
COMMENT ON COLUMN requirements.need IS 'as in the file of a cause';
COMMENT ON COLUMN requirements.is_met IS 'true where the trace has it';
COMMENT ON COLUMN requirements.reason IS 'what the trace lacks otherwise, and how to capture it';
