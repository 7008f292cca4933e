-- One row for each name of a kernel that only moves data between GPUs, or waits for other ranks: those of NCCL and NVSHMEM, and
-- the all-reduce kernels of vLLM, TensorRT-LLM and PyTorch's symmetric memory. The short names of DeepEP's kernels, as dispatch,
-- count where a full name of the trace has its namespaces, intranode and internode.
-- reads: strings
CREATE TABLE communication_names AS
SELECT string_id
FROM strings
WHERE
    regexp_matches(
        text,
        '^(nccl|rccl|nvshmem|cross_device_reduce|multimem_|one_?shot_?all_?reduce|two_?shot_?all_?reduce)|_on_stream_kernel',
        'i'
    )
    OR (
        regexp_matches(text, '^(dispatch|combine|(cached_)?notify(_dispatch|_combine)?)$')
        AND EXISTS (FROM strings WHERE regexp_matches(text, '\bint(er|ra)node(_ll)?::'))
    );

COMMENT ON TABLE communication_names IS 'names of kernels that communicate';
