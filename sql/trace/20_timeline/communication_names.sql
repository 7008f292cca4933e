-- One row for each name of a kernel that only moves data between GPUs, or waits for other ranks: those of NCCL, and the
-- all-reduce kernels of vLLM, TensorRT-LLM and PyTorch's symmetric memory.
-- reads: strings
CREATE VIEW communication_names AS
SELECT string_id
FROM strings
WHERE regexp_matches(
    text, '^(nccl|rccl|nvshmem|cross_device_reduce|multimem_|one_?shot_?all_?reduce|two_?shot_?all_?reduce)', 'i'
);

COMMENT ON VIEW communication_names IS 'names of kernels that communicate';
COMMENT ON COLUMN communication_names.string_id IS 'the name, in strings';
